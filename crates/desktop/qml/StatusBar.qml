import QtQuick
import flightdeck.window

// The last line of the window: how the connection is, how much there is, and the colours.
Rectangle {
    id: root

    property int agents: 0
    property int terminals: 0

    height: 26
    color: Theme.surface
    Rectangle {
        width: parent.width
        height: 1
        color: Theme.line
    }
    Text {
        x: 12
        height: parent.height
        verticalAlignment: Text.AlignVCenter
        text: Deck.connection === "live" ? "● live" : Deck.connection === "away" ? "◌ the hub is away" : Deck.connection === "starting" ? "◌ connecting" : "✗ no hub"
        color: Deck.connection === "live" ? Theme.ok : Theme.warn
        font.pixelSize: Theme.small
    }
    Row {
        anchors.right: parent.right
        anchors.rightMargin: 8
        height: parent.height
        spacing: 12
        Text {
            height: parent.height
            verticalAlignment: Text.AlignVCenter
            text: root.agents + (root.agents === 1 ? " agent · " : " agents · ") + root.terminals + (root.terminals === 1 ? " terminal" : " terminals")
            color: Theme.dim
            font.pixelSize: Theme.small
        }
        Button {
            implicitHeight: 22
            anchors.verticalCenter: parent.verticalCenter
            text: Theme.dark ? "Light" : "Dark"
            about: "Use the " + (Theme.dark ? "light" : "dark") + " colours"
            bare: true
            tone: "dim"
            onClicked: Theme.chosen = Theme.dark ? "light" : "dark"
        }
    }
}
