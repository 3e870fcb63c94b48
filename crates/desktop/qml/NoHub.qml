import QtQuick
import flightdeck.window

// The hub can't be had: what happened, and what to do.
FocusScope {
    id: root

    visible: Deck.connection === "failed"
    function takeFocus() {
        start.forceActiveFocus();
    }

    Rectangle {
        anchors.fill: parent
        color: Theme.ground
    }
    Column {
        anchors.centerIn: parent
        width: Math.min(parent.width - 48, 560)
        spacing: 12
        Text {
            text: "There is no hub for " + Deck.workspace
            color: Theme.text
            font.pixelSize: 15
            font.bold: true
            textFormat: Text.PlainText
        }
        Text {
            width: parent.width
            text: Deck.problem
            color: Theme.dim
            font.pixelSize: Theme.size
            wrapMode: Text.Wrap
            textFormat: Text.PlainText
        }
        Button {
            id: start
            text: "Start the hub"
            primary: true
            onClicked: Deck.perform("hub.start", "{}")
        }
    }
}
