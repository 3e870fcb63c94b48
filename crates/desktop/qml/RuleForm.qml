import QtQuick
import QtQuick.Controls.Basic as C
import flightdeck.window

// A rule that is being written: what it says of which commands, and what it would have changed.
Rectangle {
    id: root

    property bool writing: false
    // The name of a rule that is there already.
    property string editing: ""
    property string action: "allow"
    property alias patterns: lines.text
    property var rehearsed: null
    property string refused: ""

    visible: writing
    height: visible ? fields.implicitHeight + 24 : 0
    radius: Theme.radius
    color: Theme.surface
    border.color: Theme.lineStrong
    Keys.onEscapePressed: root.writing = false

    function write(rule) {
        editing = rule ? rule.name : "";
        lines.text = rule ? rule.patterns.join("\n") : "";
        why.text = rule && rule.reason ? rule.reason : "";
        action = rule ? rule.action : "allow";
        everywhere.checked = rule ? !!rule.everywhere : false;
        seen.checked = rule ? !!rule.interactiveOnly : false;
        network.checked = rule ? !!rule.network : false;
        rehearsed = null;
        refused = "";
        writing = true;
        lines.forceActiveFocus();
    }
    function proposal() {
        const rule = {
            patterns: lines.text,
            action: action,
            everywhere: everywhere.checked
        };
        if (action === "allow") {
            rule.interactiveOnly = seen.checked;
            rule.network = network.checked;
        }
        if (why.text.trim() !== "")
            rule.reason = why.text.trim();
        if (editing !== "") {
            rule.name = editing;
            rule.replaces = editing;
        }
        return JSON.stringify(rule);
    }

    Connections {
        target: Deck
        function onAnswered(what, json) {
            const value = JSON.parse(json);
            if (what === "rehearsed") {
                root.rehearsed = value;
                root.refused = "";
                Deck.note("rehearsed " + value.words);
            } else if (what === "refused") {
                root.refused = value.why;
                Deck.note("refused " + value.why);
            }
        }
    }

    component Tick: C.CheckBox {
        id: tick
        height: Theme.row
        Accessible.name: text
        indicator: Rectangle {
            y: 6
            width: 16
            height: 16
            radius: 3
            color: tick.checked ? Theme.person : Theme.ground
            border.width: tick.activeFocus ? 2 : 1
            border.color: tick.activeFocus ? Theme.person : Theme.lineStrong
            Text {
                anchors.centerIn: parent
                text: tick.checked ? "✓" : ""
                color: Theme.onAccent
                font.pixelSize: 11
                font.bold: true
            }
        }
        contentItem: Text {
            leftPadding: 22
            text: tick.text
            color: Theme.text
            font.pixelSize: Theme.size
            verticalAlignment: Text.AlignVCenter
        }
    }

    Column {
        id: fields
        x: 12
        y: 12
        width: parent.width - 24
        spacing: 8
        Row {
            spacing: 6
            Repeater {
                model: [["allow", "Allow"], ["ask", "Ask about"], ["block", "Block"]]
                Choice {
                    required property var modelData
                    text: modelData[1]
                    chosen: root.action === modelData[0]
                    onClicked: {
                        root.action = modelData[0];
                        root.rehearsed = null;
                    }
                }
            }
        }
        C.TextArea {
            id: lines
            width: parent.width
            color: Theme.text
            placeholderText: "cargo test *"
            placeholderTextColor: Theme.dim
            selectionColor: Theme.person
            selectedTextColor: Theme.onAccent
            font.family: Theme.code
            font.pixelSize: Theme.size
            textFormat: TextEdit.PlainText
            Accessible.name: "Patterns of commands, one a line"
            onTextChanged: {
                root.rehearsed = null;
                if (activeFocus)
                    Window.window.lastKey = Date.now();
            }
            Keys.onPressed: event => {
                if (event.key === Qt.Key_Tab || event.key === Qt.Key_Backtab) {
                    nextItemInFocusChain(event.key === Qt.Key_Tab).forceActiveFocus();
                    event.accepted = true;
                }
            }
            background: Rectangle {
                color: Theme.ground
                radius: Theme.radius
                border.width: lines.activeFocus ? 2 : 1
                border.color: lines.activeFocus ? Theme.person : Theme.lineStrong
            }
        }
        Field {
            id: why
            width: parent.width
            placeholderText: "Why, for whoever reads the file"
        }
        Tick {
            id: seen
            visible: root.action === "allow"
            text: "Only where a person can see it, never headless"
        }
        Tick {
            id: network
            visible: root.action === "allow"
            text: "Headless runs of it may use the network"
        }
        Tick {
            id: everywhere
            enabled: root.editing === ""
            text: "In all workspaces"
        }
        Text {
            visible: root.refused !== ""
            width: parent.width
            text: "✗ " + root.refused
            color: Theme.danger
            font.pixelSize: Theme.size
            wrapMode: Text.Wrap
            textFormat: Text.PlainText
        }
        Column {
            visible: root.rehearsed !== null
            width: parent.width
            spacing: 4
            Text {
                width: parent.width
                text: root.rehearsed ? root.rehearsed.words : ""
                color: Theme.text
                font.pixelSize: Theme.size
                wrapMode: Text.Wrap
            }
            Repeater {
                model: root.rehearsed ? root.rehearsed.changed.slice(0, 20) : []
                Text {
                    required property var modelData
                    width: fields.width
                    elide: Text.ElideRight
                    text: modelData.before + " → " + modelData.after + "   " + modelData.command + (modelData.times > 1 ? "   · " + modelData.times + " times" : "") + " · " + modelData.actor.name
                    color: Theme.dim
                    font.family: Theme.code
                    font.pixelSize: Theme.small
                    textFormat: Text.PlainText
                }
            }
        }
        Row {
            spacing: 8
            Button {
                text: "Cancel"
                bare: true
                onClicked: root.writing = false
            }
            Button {
                text: "What would it have changed?"
                enabled: lines.text.trim() !== ""
                onClicked: Deck.perform("policy.rehearse", root.proposal())
            }
            Button {
                text: root.editing === "" ? "Add the rule" : "Save the rule"
                primary: true
                enabled: lines.text.trim() !== ""
                onClicked: Deck.perform("policy.add", root.proposal())
            }
        }
    }
}
