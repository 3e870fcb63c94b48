import QtQuick
import flightdeck.window

// Rules that something else than Flightdeck has written: what they would change, and whether they count.
Overlay {
    id: root
    property var all: []
    signal told(string tone, string text)

    wide: 640
    label: "The rules were changed from outside"
    onReadyChanged: if (ready)
        reject.forceActiveFocus()
    function show(found) {
        if (found.length === 0) {
            root.told("info", "Nothing waits: the policy files are in force");
            return;
        }
        all = found;
        open = true;
    }
    Text {
        text: root.label
        color: Theme.text
        font.pixelSize: 15
        font.bold: true
    }
    Text {
        width: parent.width
        text: "Something else than Flightdeck has written them, perhaps an agent. The last good rules stay in force until you accept this."
        color: Theme.dim
        font.pixelSize: Theme.size
        wrapMode: Text.Wrap
    }
    Repeater {
        model: root.all
        Column {
            id: change
            required property var modelData
            width: parent.width
            spacing: 6
            Text {
                width: parent.width
                text: change.modelData.file
                color: Theme.dim
                font.family: Theme.code
                font.pixelSize: Theme.small
                elide: Text.ElideMiddle
                textFormat: Text.PlainText
            }
            Text {
                visible: !!change.modelData.problem
                width: parent.width
                text: Theme.prose(change.modelData.problem ?? "")
                color: Theme.danger
                font.pixelSize: Theme.size
                wrapMode: Text.Wrap
                textFormat: Text.RichText
            }
            Repeater {
                model: change.modelData.rules
                Text {
                    required property var modelData
                    text: modelData.how + ": " + modelData.name + " " + modelData.verb + " " + modelData.patterns.join(", ")
                    color: modelData.how === "goes" ? Theme.warn : Theme.danger
                    font.pixelSize: Theme.size
                    textFormat: Text.PlainText
                }
            }
            Passage {
                width: parent.width
                tallest: Math.max(72, Math.min(260, root.height - 320))
                size: Theme.small
                text: change.modelData.diff
                about: "What was changed in " + change.modelData.file
            }
        }
    }
    Row {
        spacing: 8
        Button {
            id: reject
            text: "Put them back"
            tone: "danger"
            onClicked: if (root.ready) {
                Deck.perform("policy.reject", "{}");
                root.open = false;
            }
        }
        Button {
            text: "Accept"
            enabled: root.all.some(one => !one.problem)
            onClicked: if (root.ready) {
                Deck.perform("policy.accept", JSON.stringify({
                    versions: root.all.filter(one => !one.problem).map(one => one.version)
                }));
                root.open = false;
            }
        }
    }
}
