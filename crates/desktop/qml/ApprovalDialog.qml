import QtQuick
import flightdeck.window

// A request in the middle of the window. It waits to be read: Deny has the keyboard, Escape puts it away.
Overlay {
    id: root

    property var need: null
    property int waiting: 0
    // It was answered, not put away.
    property bool done: false
    label: need ? need.actor.name + " " + need.heading : ""

    onReadyChanged: if (ready)
        answers.takeFocus()

    Item {
        width: parent.width
        height: Theme.row
        Row {
            spacing: 6
            anchors.verticalCenter: parent.verticalCenter
            Text {
                text: root.need ? root.need.actor.name : ""
                color: Theme.actor(root.need ? root.need.actor : null)
                font.pixelSize: 15
                font.bold: true
                textFormat: Text.PlainText
            }
            Text {
                text: root.need ? root.need.heading + (root.need.dangerous ? " something dangerous" : "") : ""
                color: root.need && root.need.dangerous ? Theme.danger : Theme.text
                font.pixelSize: 15
            }
        }
        Row {
            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            spacing: 8
            Text {
                text: root.waiting > 1 ? (root.waiting - 1) + " more wait" : ""
                color: Theme.dim
                font.pixelSize: Theme.small
                height: Theme.row
                verticalAlignment: Text.AlignVCenter
            }
            Button {
                text: "✕"
                about: "Decide later (Escape)"
                bare: true
                tone: "dim"
                onClicked: if (root.ready)
                    root.open = false
            }
        }
    }
    Loader {
        width: parent.width
        active: root.need !== null
        sourceComponent: Asked {
            need: root.need
            large: true
        }
    }
    Answers {
        id: answers
        width: parent.width
        need: root.need ?? ({
                id: "",
                text: "",
                options: [],
                scopes: [],
                editable: false
            })
        ready: root.ready
        roomy: true
        onGiven: {
            root.done = true;
            root.open = false;
        }
    }
    onNeedChanged: {
        answers.step = "ask";
        done = false;
    }
}
