import QtQuick
import QtQuick.Controls.Basic as C
import flightdeck.window

// The answers to a request. Deny comes first and is the default; nothing here allows more than it says.
FocusScope {
    id: root

    required property var need
    // Keys and clicks count.
    property bool ready: true
    // There is room for words.
    property bool roomy: false
    property string step: "ask"
    property bool busy: false
    signal given

    implicitHeight: loader.implicitHeight
    height: implicitHeight

    function give(more) {
        if (busy || !ready)
            return;
        busy = true;
        Deck.perform("answer", JSON.stringify(Object.assign({
            id: need.id
        }, more)));
        unblock.restart();
        given();
    }
    function go(next) {
        if (!ready)
            return;
        step = next;
        Deck.note("step " + next);
        Qt.callLater(takeFocus);
    }
    function takeFocus() {
        if (loader.item)
            loader.item.takeFocus();
    }
    // The hub has said no to the answer, and has told why: it can be given again.
    Timer {
        id: unblock
        interval: 2000
        onTriggered: root.busy = false
    }
    onNeedChanged: busy = false

    Loader {
        id: loader
        width: parent.width
        focus: true
        Accessible.role: Accessible.Grouping
        Accessible.name: "Answers"
        sourceComponent: root.step === "reason" ? reason : root.step === "edit" ? edit : root.step === "scopes" ? scopes : root.step === "always" ? always : ask
    }

    Component {
        id: ask
        Flow {
            spacing: 4
            function takeFocus() {
                deny.forceActiveFocus();
            }
            Button {
                id: deny
                text: "Deny"
                tone: "danger"
                enabled: !root.busy
                onClicked: root.give({
                    choice: "decline"
                })
            }
            Button {
                text: root.roomy ? "Deny, because…" : "…"
                about: "Deny with a reason"
                tone: "danger"
                enabled: !root.busy
                onClicked: root.go("reason")
            }
            Button {
                visible: root.need.editable
                text: "Edit"
                enabled: !root.busy
                onClicked: root.go("edit")
            }
            Repeater {
                model: root.need.options.filter(option => !option.once)
                Button {
                    required property var modelData
                    text: modelData.name
                    tone: modelData.yes ? "text" : "danger"
                    enabled: !root.busy
                    onClicked: root.give({
                        choice: modelData.yes ? "approve" : "decline",
                        option: modelData.id
                    })
                }
            }
            Button {
                visible: root.need.options.length === 0
                text: "Allow once"
                enabled: !root.busy
                onClicked: root.give({
                    choice: "approve",
                    scope: "once"
                })
            }
            Button {
                visible: root.need.options.length === 0 && root.need.scopes.length > 1
                text: root.roomy ? "Allow more ▾" : "▾"
                about: "Allow further than once"
                enabled: !root.busy
                onClicked: root.go("scopes")
            }
        }
    }

    Component {
        id: reason
        Column {
            spacing: 8
            function takeFocus() {
                why.forceActiveFocus();
            }
            Keys.onEscapePressed: root.go("ask")
            Field {
                id: why
                width: parent.width
                placeholderText: "Why, for the agent"
                about: "Reason, for the agent"
                onAccepted: send.clicked()
            }
            Row {
                spacing: 8
                Button {
                    id: send
                    text: "Deny with this reason"
                    tone: "danger"
                    enabled: !root.busy
                    onClicked: root.give(why.text.trim() === "" ? {
                        choice: "decline"
                    } : {
                        choice: "decline",
                        reason: why.text.trim()
                    })
                }
                Button {
                    text: "Back"
                    bare: true
                    onClicked: root.go("ask")
                }
            }
        }
    }

    Component {
        id: edit
        Column {
            spacing: 8
            function takeFocus() {
                text.forceActiveFocus();
                text.cursorPosition = text.length;
            }
            Keys.onEscapePressed: root.go("ask")
            C.TextArea {
                id: text
                width: parent.width
                text: root.need.text
                color: Theme.text
                selectionColor: Theme.person
                selectedTextColor: Theme.onAccent
                font.family: Theme.code
                font.pixelSize: Theme.size
                wrapMode: TextEdit.WrapAnywhere
                textFormat: TextEdit.PlainText
                selectByMouse: true
                Accessible.name: "Command to run instead"
                onTextChanged: if (activeFocus)
                    Window.window.lastKey = Date.now()
                background: Rectangle {
                    color: Theme.ground
                    radius: Theme.radius
                    border.width: text.activeFocus ? 2 : 1
                    border.color: text.activeFocus ? Theme.person : Theme.lineStrong
                }
                Keys.onPressed: event => {
                    if (event.key === Qt.Key_Tab || event.key === Qt.Key_Backtab) {
                        nextItemInFocusChain(event.key === Qt.Key_Tab).forceActiveFocus();
                        event.accepted = true;
                    } else if ((event.key === Qt.Key_Return || event.key === Qt.Key_Enter) && (event.modifiers & Qt.ControlModifier)) {
                        run.clicked();
                        event.accepted = true;
                    } else if (event.key === Qt.Key_Escape) {
                        root.go("ask");
                        event.accepted = true;
                    }
                }
            }
            Row {
                spacing: 8
                Button {
                    id: run
                    text: "Run edited"
                    about: "Run edited, once"
                    enabled: !root.busy && text.text.trim() !== ""
                    onClicked: root.give({
                        choice: "approve",
                        command: text.text
                    })
                }
                Button {
                    text: "Back"
                    bare: true
                    onClicked: root.go("ask")
                }
                Text {
                    text: "once · Ctrl+Enter"
                    color: Theme.dim
                    font.pixelSize: Theme.small
                    height: Theme.row
                    verticalAlignment: Text.AlignVCenter
                }
            }
        }
    }

    Component {
        id: scopes
        Column {
            spacing: 4
            function takeFocus() {
                if (list.count > 0)
                    list.itemAt(0).forceActiveFocus();
            }
            Keys.onEscapePressed: root.go("ask")
            Repeater {
                id: list
                model: root.need.scopes
                Button {
                    id: scope
                    required property var modelData
                    width: parent.width
                    text: modelData.label
                    about: modelData.label + ": " + modelData.about
                    enabled: !root.busy
                    onClicked: modelData.name === "always" ? root.go("always") : root.give({
                        choice: "approve",
                        scope: modelData.name
                    })
                    contentItem: Row {
                        leftPadding: 8
                        spacing: 8
                        Text {
                            text: scope.modelData.label
                            color: Theme.text
                            font.pixelSize: Theme.size
                            font.bold: true
                            height: Theme.row
                            verticalAlignment: Text.AlignVCenter
                        }
                        Text {
                            text: scope.modelData.about
                            color: Theme.dim
                            font.pixelSize: Theme.size
                            height: Theme.row
                            verticalAlignment: Text.AlignVCenter
                            textFormat: Text.PlainText
                        }
                    }
                }
            }
            Button {
                text: "Back"
                bare: true
                onClicked: root.go("ask")
            }
        }
    }

    Component {
        id: always
        Column {
            spacing: 8
            function takeFocus() {
                back.forceActiveFocus();
            }
            Keys.onEscapePressed: root.go("scopes")
            Text {
                width: parent.width
                text: root.need.offer ? Theme.prose("This rule would be added: " + root.need.offer.words + ".") : ""
                color: Theme.text
                font.pixelSize: Theme.size
                wrapMode: Text.Wrap
                textFormat: Text.RichText
            }
            Passage {
                width: parent.width
                size: Theme.small
                text: root.need.offer ? root.need.offer.toml : ""
                about: "The rule as it would be written"
            }
            Row {
                spacing: 8
                Button {
                    id: back
                    text: "Back"
                    bare: true
                    onClicked: root.go("scopes")
                }
                Button {
                    text: "Add the rule and allow"
                    enabled: !root.busy
                    onClicked: root.give({
                        choice: "approve",
                        scope: "always"
                    })
                }
            }
        }
    }
}
