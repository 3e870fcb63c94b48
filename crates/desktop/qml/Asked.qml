import QtQuick
import flightdeck.window

// What an agent asks for: who, the command with what is dangerous in it underlined, why, and where.
Column {
    id: root

    required property var need
    property bool large: false
    spacing: 6

    Rectangle {
        width: parent.width
        implicitHeight: Math.min(command.implicitHeight + 16, root.large ? 260 : 140)
        height: implicitHeight
        color: Theme.ground
        radius: 4
        border.color: root.need.dangerous ? Qt.alpha(Theme.danger, 0.5) : Theme.line
        clip: true
        Flickable {
            anchors.fill: parent
            anchors.margins: 8
            contentHeight: command.implicitHeight
            boundsBehavior: Flickable.StopAtBounds
            Text {
                id: command
                width: parent.width
                text: Theme.marked(root.need.spans)
                textFormat: Text.RichText
                color: Theme.text
                font.family: Theme.code
                font.pixelSize: Theme.size
                wrapMode: Text.Wrap
                Accessible.role: Accessible.StaticText
                Accessible.name: root.need.text
            }
        }
    }
    Text {
        visible: root.need.unseen
        width: parent.width
        text: "It holds characters that can’t be seen. They are shown as escapes."
        color: Theme.warn
        font.pixelSize: Theme.small
        wrapMode: Text.Wrap
    }
    Text {
        width: parent.width
        text: (root.need.dangerous ? "⚠ " : "") + root.need.reason
        color: root.need.dangerous ? Theme.danger : Theme.dim
        font.pixelSize: Theme.size
        wrapMode: Text.Wrap
        textFormat: Text.PlainText
    }
    Text {
        width: parent.width
        visible: text !== ""
        text: [root.need.folder ? "in " + root.need.folder : "", root.need.terminal ?? "", root.large ? "rule " + root.need.rule : ""].filter(part => part !== "").join(" · ")
        color: Theme.dim
        font.pixelSize: Theme.small
        wrapMode: Text.Wrap
        textFormat: Text.PlainText
    }
    Text {
        width: parent.width
        visible: root.need.env.length > 0
        text: "with " + root.need.env.join(" ")
        color: Theme.dim
        font.family: Theme.code
        font.pixelSize: Theme.small
        wrapMode: Text.WrapAnywhere
        textFormat: Text.PlainText
    }
    Rectangle {
        visible: !!root.need.diff
        width: parent.width
        height: visible ? Math.min(diff.implicitHeight + 16, root.large ? 260 : 120) : 0
        color: Theme.ground
        radius: 4
        border.color: Theme.line
        clip: true
        Flickable {
            anchors.fill: parent
            anchors.margins: 8
            contentHeight: diff.implicitHeight
            boundsBehavior: Flickable.StopAtBounds
            Text {
                id: diff
                width: parent.width
                text: root.need.diff ?? ""
                color: Theme.text
                font.family: Theme.code
                font.pixelSize: Theme.small
                wrapMode: Text.WrapAnywhere
                textFormat: Text.PlainText
            }
        }
    }
}
