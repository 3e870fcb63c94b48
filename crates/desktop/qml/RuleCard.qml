import QtQuick
import flightdeck.window

// A rule in force.
Rectangle {
    id: root

    required property string json
    readonly property var one: JSON.parse(json)
    signal edited

    height: says.implicitHeight + 20
    radius: Theme.radius
    color: Theme.surface
    border.color: Theme.line
    Accessible.role: Accessible.ListItem
    Accessible.name: "Rule " + one.name + " " + one.verb + " " + one.patterns.join(", ")
    Column {
        id: says
        x: 12
        y: 10
        width: parent.width - tools.width - 36
        spacing: 4
        Row {
            spacing: 8
            Text {
                text: root.one.verb
                color: Theme.tone(root.one.tone)
                font.pixelSize: Theme.size
                font.bold: true
            }
            Text {
                text: root.one.name + (root.one.everywhere ? " · in all workspaces" : "") + (root.one.interactiveOnly ? " · never headless" : "") + (root.one.network ? " · with the network" : "")
                color: Theme.dim
                font.pixelSize: Theme.small
                textFormat: Text.PlainText
            }
        }
        Text {
            width: parent.width
            text: root.one.patterns.join("\n")
            color: Theme.text
            font.family: Theme.code
            font.pixelSize: Theme.size
            wrapMode: Text.WrapAnywhere
            textFormat: Text.PlainText
        }
        Text {
            visible: !!root.one.reason
            width: parent.width
            text: root.one.reason ?? ""
            color: Theme.dim
            font.pixelSize: Theme.small
            wrapMode: Text.Wrap
            textFormat: Text.PlainText
        }
    }
    Row {
        id: tools
        anchors.right: parent.right
        anchors.rightMargin: 10
        y: 8
        spacing: 6
        Button {
            text: "Edit"
            about: "Edit " + root.one.name
            onClicked: root.edited()
        }
        Button {
            text: "Remove"
            about: "Remove " + root.one.name
            tone: "danger"
            onClicked: Deck.perform("policy.remove", JSON.stringify({
                name: root.one.name,
                everywhere: !!root.one.everywhere
            }))
        }
    }
}
