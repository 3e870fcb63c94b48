import QtQuick
import flightdeck.window

// The first line of the window: where one is, the pages, whether the hub is there, and who waits.
Rectangle {
    id: root

    property string page: ""
    property int needs: 0
    signal chosen(string page)
    signal asked

    height: 40
    color: Theme.surface
    Row {
        x: 12
        anchors.verticalCenter: parent.verticalCenter
        spacing: 12
        Text {
            text: Deck.workspace
            color: Theme.text
            font.pixelSize: 14
            font.bold: true
            height: Theme.row
            verticalAlignment: Text.AlignVCenter
            textFormat: Text.PlainText
        }
        Row {
            spacing: 2
            Repeater {
                model: [["terminals", "Terminals", "Terminals"], ["policy", "Policy", "Policy (Ctrl+Shift+L)"], ["activity", "Activity", "Activity (Ctrl+Shift+Y)"]]
                Button {
                    id: tab
                    required property var modelData
                    readonly property bool here: root.page === modelData[0]
                    text: modelData[1]
                    about: modelData[2]
                    tone: here ? "text" : "dim"
                    Accessible.role: Accessible.PageTab
                    onClicked: root.chosen(modelData[0])
                    background: Rectangle {
                        radius: Theme.radius
                        color: tab.here ? Theme.hover : tab.hovered ? Theme.hover : "transparent"
                        border.width: tab.activeFocus ? 2 : 0
                        border.color: Theme.person
                    }
                }
            }
        }
    }
    // Up here it covers nothing that is being read.
    Row {
        visible: Deck.connection === "away"
        anchors.right: flag.visible ? flag.left : parent.right
        anchors.rightMargin: 12
        anchors.verticalCenter: parent.verticalCenter
        spacing: 8
        Text {
            // In a narrow window the line at the bottom says it.
            visible: root.width >= 760
            width: Math.max(0, Math.min(implicitWidth, root.width - 560))
            height: Theme.row
            verticalAlignment: Text.AlignVCenter
            text: "The hub has gone. Terminals go on; this window comes back with it."
            color: Theme.warn
            font.pixelSize: Theme.size
            elide: Text.ElideRight
        }
        Button {
            text: "Start the hub"
            onClicked: Deck.perform("hub.start", "{}")
        }
    }
    Button {
        id: flag
        anchors.right: parent.right
        anchors.rightMargin: 12
        anchors.verticalCenter: parent.verticalCenter
        visible: root.needs > 0
        text: "⚑ " + root.needs + (root.needs === 1 ? " needs you" : " need you")
        about: text + " (Ctrl+Shift+U)"
        tone: "warn"
        onClicked: root.asked()
        background: Rectangle {
            radius: height / 2
            color: parent.hovered ? Theme.hover : "transparent"
            border.width: parent.activeFocus ? 2 : 1
            border.color: parent.activeFocus ? Theme.person : Theme.warn
        }
    }
    Rectangle {
        anchors.bottom: parent.bottom
        width: parent.width
        height: 1
        color: Theme.line
    }
}
