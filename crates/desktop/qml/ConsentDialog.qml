import QtQuick
import flightdeck.window

// Asks on first use whether agents may control the workbench.
Overlay {
    id: root

    property string text: ""
    wide: 480
    label: "May agents control the workbench?"
    onReadyChanged: if (ready)
        later.forceActiveFocus()

    function give(allow, remember) {
        if (!ready)
            return;
        Deck.perform("consent.set", JSON.stringify({
            allow: allow,
            remember: remember
        }));
        open = false;
    }

    Text {
        text: "Agents and the workbench"
        color: Theme.text
        font.pixelSize: 15
        font.bold: true
    }
    Text {
        width: parent.width
        text: root.text
        color: Theme.text
        font.pixelSize: Theme.size
        lineHeight: 1.3
        wrapMode: Text.Wrap
        textFormat: Text.PlainText
    }
    // The sentences are those of the document; nobody has agreed to them yet.
    Text {
        width: parent.width
        text: root.label
        color: Theme.text
        font.pixelSize: Theme.size
        font.bold: true
        wrapMode: Text.Wrap
    }
    Row {
        spacing: 8
        Button {
            id: later
            text: "Not now"
            onClicked: root.give(false, false)
        }
        Button {
            text: "Don’t allow"
            tone: "danger"
            onClicked: root.give(false, true)
        }
        Button {
            text: "Allow"
            onClicked: root.give(true, true)
        }
    }
}
