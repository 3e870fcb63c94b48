import QtQuick
import QtQuick.Controls.Basic as C
import flightdeck.window

// What agents may run: the rules of the person, how careful each surface is, and the forms to try and write rules.
FocusScope {
    id: root

    required property Rows rules
    required property Rows stances
    property var tested: null
    property var rehearsed: null
    property string refused: ""
    // The rule that is being written; its name when it is there already.
    property string editing: ""
    property bool writing: false

    function takeFocus() {
        command.forceActiveFocus();
    }
    function write(rule) {
        editing = rule ? rule.name : "";
        patterns.text = rule ? rule.patterns.join("\n") : "";
        why.text = rule && rule.reason ? rule.reason : "";
        form.action = rule ? rule.action : "allow";
        everywhere.checked = rule ? !!rule.everywhere : false;
        seen.checked = rule ? !!rule.interactiveOnly : false;
        network.checked = rule ? !!rule.network : false;
        rehearsed = null;
        refused = "";
        writing = true;
        patterns.forceActiveFocus();
    }
    function proposal() {
        const rule = {
            patterns: patterns.text,
            action: form.action,
            everywhere: everywhere.checked
        };
        if (form.action === "allow") {
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
            if (what === "tested") {
                root.tested = value;
                Deck.note("tested " + value.verdict);
            } else if (what === "rehearsed") {
                root.rehearsed = value;
                root.refused = "";
                Deck.note("rehearsed " + value.words);
            } else if (what === "refused") {
                root.refused = value.why;
                Deck.note("refused " + value.why);
            } else if (what === "changed") {
                root.writing = false;
                root.refused = "";
                if (root.tested && command.text !== "")
                    root.test();
                Deck.note("policy changed");
                if (root.visible)
                    root.takeFocus();
            }
        }
    }
    function test() {
        if (command.text.trim() !== "")
            Deck.perform("policy.test", JSON.stringify({
                command: command.text,
                mode: mode.value
            }));
    }

    component Heading: Text {
        color: Theme.dim
        font.pixelSize: 11
        font.bold: true
        font.letterSpacing: 0.8
        height: 32
        verticalAlignment: Text.AlignBottom
    }
    component Choice: Button {
        property bool chosen: false
        Accessible.role: Accessible.RadioButton
        Accessible.checked: chosen
        background: Rectangle {
            radius: Theme.radius
            color: parent.chosen ? Theme.selected : parent.hovered ? Theme.hover : "transparent"
            border.width: parent.activeFocus ? 2 : 1
            border.color: parent.activeFocus || parent.chosen ? Theme.person : Theme.lineStrong
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

    Rectangle {
        anchors.fill: parent
        color: Theme.ground
    }
    Flickable {
        anchors.fill: parent
        contentHeight: column.implicitHeight + 48
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        C.ScrollBar.vertical: Bar {}

        Column {
            id: column
            x: 24
            width: Math.min(parent.width - 48, 760)
            spacing: 8

            Heading {
                text: "WHAT WOULD BECOME OF A COMMAND?"
            }
            Row {
                width: parent.width
                spacing: 8
                Field {
                    id: command
                    width: parent.width - testIt.width - 8
                    isCode: true
                    placeholderText: "git push --force origin main"
                    about: "Command to test; it is not run"
                    onAccepted: root.test()
                }
                Button {
                    id: testIt
                    text: "Test"
                    enabled: command.text.trim() !== ""
                    onClicked: root.test()
                }
            }
            Flow {
                id: mode
                property string value: "headless"
                width: parent.width
                spacing: 6
                Repeater {
                    model: [["headless", "Headless"], ["interactive", "Visible terminal, by contract"], ["terminal", "Terminals"], ["tabs", "Tabs"], ["openspace", "Workbench"], ["acp", "ACP agents"]]
                    Choice {
                        required property var modelData
                        text: modelData[1]
                        chosen: mode.value === modelData[0]
                        onClicked: {
                            mode.value = modelData[0];
                            root.test();
                        }
                    }
                }
            }
            Rectangle {
                visible: root.tested !== null
                width: parent.width
                height: visible ? verdict.implicitHeight + 24 : 0
                radius: Theme.radius
                color: Theme.surface
                border.color: root.tested ? Theme.tone(root.tested.tone) : Theme.line
                Column {
                    id: verdict
                    x: 12
                    y: 12
                    width: parent.width - 24
                    spacing: 6
                    Text {
                        text: root.tested ? (root.tested.tone === "ok" ? "✓ " : root.tested.tone === "danger" ? "✗ " : "⚑ ") + root.tested.verdict : ""
                        color: root.tested ? Theme.tone(root.tested.tone) : Theme.text
                        font.pixelSize: Theme.size
                        font.bold: true
                    }
                    Text {
                        width: parent.width
                        text: root.tested ? Theme.marked(root.tested.spans) : ""
                        textFormat: Text.RichText
                        color: Theme.text
                        font.family: Theme.code
                        font.pixelSize: Theme.size
                        wrapMode: Text.Wrap
                    }
                    Text {
                        width: parent.width
                        text: root.tested ? [root.tested.reason, root.tested.unproven ?? ""].filter(part => part !== "").join(" · ") : ""
                        color: Theme.text
                        font.pixelSize: Theme.size
                        wrapMode: Text.Wrap
                        textFormat: Text.PlainText
                    }
                    Row {
                        spacing: 12
                        Text {
                            text: root.tested ? "rule " + root.tested.rule : ""
                            color: Theme.dim
                            font.family: Theme.code
                            font.pixelSize: Theme.small
                            height: Theme.row
                            verticalAlignment: Text.AlignVCenter
                            textFormat: Text.PlainText
                        }
                        Button {
                            text: "Make a rule of it"
                            onClicked: {
                                root.write(null);
                                patterns.text = command.text;
                            }
                        }
                    }
                }
            }

            Item {
                width: parent.width
                height: 40
                Heading {
                    text: "RULES IN FORCE"
                    height: parent.height
                    verticalAlignment: Text.AlignVCenter
                }
                Button {
                    anchors.right: parent.right
                    anchors.verticalCenter: parent.verticalCenter
                    text: "Add a rule"
                    onClicked: root.write(null)
                }
            }

            Rectangle {
                id: form
                property string action: "allow"
                visible: root.writing
                width: parent.width
                height: visible ? fields.implicitHeight + 24 : 0
                radius: Theme.radius
                color: Theme.surface
                border.color: Theme.lineStrong
                Keys.onEscapePressed: root.writing = false
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
                                chosen: form.action === modelData[0]
                                onClicked: {
                                    form.action = modelData[0];
                                    root.rehearsed = null;
                                }
                            }
                        }
                    }
                    C.TextArea {
                        id: patterns
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
                            border.width: patterns.activeFocus ? 2 : 1
                            border.color: patterns.activeFocus ? Theme.person : Theme.lineStrong
                        }
                    }
                    Field {
                        id: why
                        width: parent.width
                        placeholderText: "Why, for whoever reads the file"
                    }
                    Tick {
                        id: seen
                        visible: form.action === "allow"
                        text: "Only where a person can see it, never headless"
                    }
                    Tick {
                        id: network
                        visible: form.action === "allow"
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
                            enabled: patterns.text.trim() !== ""
                            onClicked: Deck.perform("policy.rehearse", root.proposal())
                        }
                        Button {
                            text: root.editing === "" ? "Add the rule" : "Save the rule"
                            primary: true
                            enabled: patterns.text.trim() !== ""
                            onClicked: Deck.perform("policy.add", root.proposal())
                        }
                    }
                }
            }

            Text {
                visible: root.rules.count === 0 && !root.writing
                width: parent.width
                text: "No rules of your own yet. “Always” in a request adds one, or do it here."
                color: Theme.dim
                font.pixelSize: Theme.size
                wrapMode: Text.Wrap
            }
            Repeater {
                model: root.rules
                Rectangle {
                    id: rule
                    required property string json
                    readonly property var one: JSON.parse(json)
                    width: column.width
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
                                text: rule.one.verb
                                color: Theme.tone(rule.one.tone)
                                font.pixelSize: Theme.size
                                font.bold: true
                            }
                            Text {
                                text: rule.one.name + (rule.one.everywhere ? " · in all workspaces" : "") + (rule.one.interactiveOnly ? " · never headless" : "") + (rule.one.network ? " · with the network" : "")
                                color: Theme.dim
                                font.pixelSize: Theme.small
                                textFormat: Text.PlainText
                            }
                        }
                        Text {
                            width: parent.width
                            text: rule.one.patterns.join("\n")
                            color: Theme.text
                            font.family: Theme.code
                            font.pixelSize: Theme.size
                            wrapMode: Text.WrapAnywhere
                            textFormat: Text.PlainText
                        }
                        Text {
                            visible: !!rule.one.reason
                            width: parent.width
                            text: rule.one.reason ?? ""
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
                            about: "Edit " + rule.one.name
                            onClicked: root.write(rule.one)
                        }
                        Button {
                            text: "Remove"
                            about: "Remove " + rule.one.name
                            tone: "danger"
                            onClicked: Deck.perform("policy.remove", JSON.stringify({
                                name: rule.one.name,
                                everywhere: !!rule.one.everywhere
                            }))
                        }
                    }
                }
            }

            Heading {
                text: "WITHOUT A RULE"
            }
            Repeater {
                model: root.stances
                Row {
                    id: stance
                    required property string json
                    readonly property var one: JSON.parse(json)
                    width: column.width
                    spacing: 10
                    height: 24
                    Text {
                        width: 220
                        text: stance.one.surface
                        color: Theme.text
                        font.pixelSize: Theme.size
                    }
                    Text {
                        width: 60
                        text: stance.one.stance
                        color: Theme.text
                        font.pixelSize: Theme.size
                        font.bold: true
                    }
                    Text {
                        width: parent.width - 300
                        elide: Text.ElideRight
                        text: stance.one.means
                        color: Theme.dim
                        font.pixelSize: Theme.size
                    }
                }
            }
        }
    }
}
