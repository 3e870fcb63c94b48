import QtQuick
import flightdeck.window

// What is told in passing, at the edge.
Column {
    id: root
    spacing: 8
    width: Math.min(420, parent.width - x - 24)

    function tell(tone, text) {
        Deck.note("toast " + text);
        // What is still there to be read is not said again.
        if (list.count > 0 && list.get(list.count - 1).text === text)
            return;
        if (list.count > 3)
            list.remove(0);
        list.append({
            tone: tone,
            text: text
        });
    }

    ListModel {
        id: list
    }
    Repeater {
        model: list
        Rectangle {
            id: toast
            required property int index
            required property string tone
            required property string text
            width: root.width
            height: said.implicitHeight + 20
            radius: Theme.radius
            color: Theme.raised
            border.color: Theme.lineStrong
            Accessible.role: Accessible.AlertMessage
            Accessible.name: text
            Rectangle {
                width: 3
                height: parent.height - 2
                y: 1
                x: 1
                radius: 2
                color: Theme.tone(toast.tone === "info" ? "dim" : toast.tone)
            }
            Text {
                id: said
                x: 14
                y: 10
                width: parent.width - 28
                text: toast.text
                color: Theme.text
                font.pixelSize: Theme.size
                wrapMode: Text.Wrap
                textFormat: Text.PlainText
            }
            Timer {
                interval: 7000
                running: true
                onTriggered: list.remove(toast.index)
            }
            MouseArea {
                anchors.fill: parent
                onClicked: list.remove(toast.index)
            }
        }
    }
}
