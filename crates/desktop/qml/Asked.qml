import QtQuick
import flightdeck.window

// What an agent asks for: who, the command with what is dangerous in it underlined, why, and where.
Column {
    id: root

    required property var need
    property bool large: false
    // In a small window a long text leaves room for the answers.
    readonly property int tallest: large ? Math.max(72, Math.min(260, Window.height - 320)) : 140
    spacing: 6

    Passage {
        id: command
        width: parent.width
        tallest: root.tallest
        text: Theme.marked(root.need.spans)
        textFormat: Text.RichText
        wrapMode: Text.Wrap
        edge: root.need.dangerous ? Qt.alpha(Theme.danger, 0.5) : Theme.line
        about: root.need.text
    }
    Text {
        visible: command.more
        width: parent.width
        text: "There is more of it below."
        color: Theme.warn
        font.pixelSize: Theme.small
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
    Text {
        width: parent.width
        visible: root.need.locations.length > 0
        text: root.need.locations.join("\n")
        color: Theme.text
        font.family: Theme.code
        font.pixelSize: Theme.small
        wrapMode: Text.WrapAnywhere
        maximumLineCount: 8
        elide: Text.ElideRight
        textFormat: Text.PlainText
        Accessible.role: Accessible.StaticText
        Accessible.name: "About " + text
    }
    Passage {
        visible: !!root.need.diff
        width: parent.width
        tallest: root.tallest
        size: Theme.small
        text: root.need.diff ?? ""
        about: "What would change"
    }
}
