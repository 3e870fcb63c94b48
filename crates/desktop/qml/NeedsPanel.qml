import QtQuick
import flightdeck.window

// The one place for what needs a person, oldest first, and the agents below it.
FocusScope {
    id: root

    required property Rows needs
    required property Rows agents
    property double now: Date.now()
    signal open(string terminal)
    signal enlarge(string id)
    signal review
    signal consent
    signal done

    Accessible.role: Accessible.Pane
    Accessible.name: "What needs you, and the agents"
    Keys.onEscapePressed: done()

    function takeFocus() {
        for (let at = 0; at < cards.count; at++) {
            const card = cards.itemAt(at);
            if (card) {
                card.takeFocus();
                return;
            }
        }
        forceActiveFocus();
    }

    // The last one is answered: the keyboard goes back. While others wait it stays here, on none of them, so that a key that is
    // pressed twice answers one.
    Connections {
        target: root.needs
        function onChanged() {
            if (root.activeFocus && root.needs.count === 0)
                Qt.callLater(root.done);
        }
    }

    Scroller {
        anchors.fill: parent
        contentHeight: column.implicitHeight + 24

        Column {
            id: column
            x: 12
            width: parent.width - 24
            spacing: 8

            Text {
                text: "NEEDS YOU"
                color: Theme.dim
                font.pixelSize: 11
                font.bold: true
                font.letterSpacing: 0.8
                height: 36
                verticalAlignment: Text.AlignVCenter
            }
            Text {
                visible: root.needs.count === 0
                width: parent.width
                text: "Nothing waits for you. When an agent wants to run something dangerous, you are asked here."
                color: Theme.dim
                font.pixelSize: Theme.size
                wrapMode: Text.Wrap
            }
            Repeater {
                id: cards
                model: root.needs
                Rectangle {
                    id: card
                    required property string json
                    readonly property var need: JSON.parse(json)
                    readonly property bool asks: need.kind === "approval"
                    width: column.width
                    height: inner.implicitHeight + 20
                    radius: Theme.radius
                    color: Theme.raised
                    border.width: asks && need.dangerous ? 2 : 1
                    border.color: asks ? (need.dangerous ? Theme.warn : Theme.lineStrong) : Theme.lineStrong
                    Accessible.role: Accessible.Grouping
                    Accessible.name: title.text

                    function takeFocus() {
                        if (answers.item)
                            answers.item.takeFocus();
                        else
                            act.forceActiveFocus();
                    }

                    Column {
                        id: inner
                        x: 12
                        y: 10
                        width: parent.width - 24
                        spacing: 8
                        Item {
                            width: parent.width
                            height: 20
                            Text {
                                id: title
                                width: parent.width - 74
                                elide: Text.ElideRight
                                textFormat: Text.RichText
                                color: Theme.text
                                font.pixelSize: Theme.size
                                text: {
                                    const who = actor => "<b><font color=\"" + Theme.actor(actor) + "\">" + Theme.escaped(actor.name) + "</font></b> ";
                                    switch (card.need.kind) {
                                    case "approval":
                                        return who(card.need.actor) + card.need.heading;
                                    case "input":
                                        return who(card.need.actor) + "waits for input";
                                    case "database":
                                        return "<b>Something happened to the database</b>";
                                    case "policy":
                                        return "<b>The rules were changed from outside</b>";
                                    default:
                                        return "<b>May agents control the workbench?</b>";
                                    }
                                }
                            }
                            Row {
                                anchors.right: parent.right
                                spacing: 6
                                Text {
                                    visible: !!(card.need.askedAtMs ?? card.need.sinceMs)
                                    text: Theme.age(card.need.askedAtMs ?? card.need.sinceMs ?? 0, root.now)
                                    color: Theme.dim
                                    font.pixelSize: Theme.small
                                    anchors.verticalCenter: parent.verticalCenter
                                }
                                Button {
                                    visible: card.asks
                                    implicitHeight: 20
                                    implicitWidth: 24
                                    text: "⤢"
                                    about: "Show larger"
                                    bare: true
                                    tone: "dim"
                                    onClicked: root.enlarge(card.need.id)
                                }
                            }
                        }
                        Loader {
                            width: parent.width
                            active: card.asks
                            visible: active
                            sourceComponent: Asked {
                                need: card.need
                            }
                        }
                        Loader {
                            id: answers
                            width: parent.width
                            active: card.asks
                            visible: active
                            sourceComponent: Answers {
                                need: card.need
                                // Without the hub nobody takes an answer.
                                enabled: Deck.connection === "live"
                            }
                        }
                        Text {
                            visible: !card.asks
                            width: parent.width
                            text: Theme.prose((card.need.text ?? "") + (card.need.hint ? ": " + card.need.hint : ""))
                            color: Theme.dim
                            font.pixelSize: Theme.size
                            wrapMode: Text.Wrap
                            textFormat: Text.RichText
                        }
                        Button {
                            id: act
                            visible: !card.asks && (card.need.kind !== "input" || !!card.need.terminal)
                            text: card.need.kind === "input" ? "Open " + (card.need.terminal ?? "") : card.need.kind === "policy" ? "Review" : card.need.kind === "database" ? "I know" : "Answer"
                            onClicked: {
                                switch (card.need.kind) {
                                case "input":
                                    return root.open(card.need.terminal);
                                case "policy":
                                    return root.review();
                                case "database":
                                    return Deck.perform("database.acknowledge", "{}");
                                default:
                                    return root.consent();
                                }
                            }
                        }
                    }
                }
            }

            Text {
                text: "AGENTS"
                color: Theme.dim
                font.pixelSize: 11
                font.bold: true
                font.letterSpacing: 0.8
                height: 36
                verticalAlignment: Text.AlignVCenter
            }
            Text {
                visible: root.agents.count === 0
                width: parent.width
                text: Theme.prose("No agent has come yet. Give one the MCP server `flightdeck mcp`.")
                textFormat: Text.RichText
                color: Theme.dim
                font.pixelSize: Theme.size
                wrapMode: Text.Wrap
            }
            Repeater {
                model: root.agents
                Item {
                    id: agent
                    required property string json
                    readonly property var one: JSON.parse(json)
                    width: column.width
                    height: doing.visible ? 42 : 24
                    Accessible.role: Accessible.ListItem
                    Accessible.name: one.actor.name + " " + one.word
                    Text {
                        id: mark
                        text: agent.one.mark
                        color: Theme.tone(agent.one.tone)
                        font.pixelSize: Theme.size
                        width: 18
                    }
                    Text {
                        id: name
                        anchors.left: mark.right
                        text: agent.one.actor.name
                        color: agent.one.tone === "dim" ? Theme.dim : Theme.actor(agent.one.actor)
                        font.pixelSize: Theme.size
                        font.bold: true
                        textFormat: Text.PlainText
                    }
                    Text {
                        anchors.left: name.right
                        anchors.leftMargin: 8
                        text: agent.one.word
                        color: Theme.tone(agent.one.tone === "agent" ? "dim" : agent.one.tone)
                        font.pixelSize: Theme.size
                    }
                    Text {
                        anchors.right: parent.right
                        text: Theme.age(agent.one.sinceMs, root.now)
                        color: Theme.dim
                        font.pixelSize: Theme.small
                    }
                    Text {
                        id: doing
                        visible: agent.one.doing !== ""
                        anchors.left: mark.right
                        anchors.right: parent.right
                        y: 20
                        text: agent.one.doing
                        color: Theme.dim
                        font.pixelSize: Theme.small
                        elide: Text.ElideRight
                        textFormat: Text.PlainText
                    }
                }
            }
        }
    }
}
