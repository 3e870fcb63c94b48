import QtQuick
import flightdeck.window

// What agents may run: the rules of the person, how careful each surface is, and the forms to try and write rules.
FocusScope {
    id: root

    required property Rows rules
    required property Rows stances
    property var tested: null

    function takeFocus() {
        command.forceActiveFocus();
    }

    Connections {
        target: Deck
        function onAnswered(what, json) {
            const value = JSON.parse(json);
            if (what === "tested") {
                root.tested = value;
                Deck.note("tested " + value.verdict);
            } else if (what === "changed") {
                form.writing = false;
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

    Rectangle {
        anchors.fill: parent
        color: Theme.ground
    }
    Scroller {
        anchors.fill: parent
        contentHeight: column.implicitHeight + 48

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
                                form.write(null);
                                form.patterns = command.text;
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
                    onClicked: form.write(null)
                }
            }

            RuleForm {
                id: form
                width: parent.width
            }

            Text {
                visible: root.rules.count === 0 && !form.writing
                width: parent.width
                text: "No rules of your own yet. “Always” in a request adds one, or do it here."
                color: Theme.dim
                font.pixelSize: Theme.size
                wrapMode: Text.Wrap
            }
            Repeater {
                model: root.rules
                RuleCard {
                    width: column.width
                    onEdited: form.write(one)
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
                    spacing: 12
                    Text {
                        width: 200
                        text: stance.one.surface
                        color: Theme.text
                        font.pixelSize: Theme.size
                    }
                    Text {
                        width: 48
                        text: stance.one.stance
                        color: Theme.text
                        font.pixelSize: Theme.size
                        font.bold: true
                    }
                    Text {
                        width: parent.width - 272
                        wrapMode: Text.Wrap
                        text: stance.one.means
                        color: Theme.dim
                        font.pixelSize: Theme.size
                    }
                }
            }
        }
    }
}
