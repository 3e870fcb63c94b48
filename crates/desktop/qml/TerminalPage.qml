import QtQuick
import QtQuick.Controls.Basic as C
import flightdeck.window

// One terminal, with the line below it that says who holds the controls.
FocusScope {
    id: root

    // The terminal's row, or null when there is none.
    property var terminal: null
    property int pixels: 13
    readonly property alias view: view
    signal keyed
    signal zoomed(int by)

    readonly property bool empty: terminal === null
    onEmptyChanged: if (activeFocus)
        takeFocus()
    function takeFocus() {
        (terminal ? view : first).forceActiveFocus();
    }

    Accessible.role: Accessible.Pane
    Accessible.name: terminal ? "Terminal " + terminal.id : "No terminal"

    Rectangle {
        anchors.fill: parent
        color: Theme.ground
    }

    // Empty is an invitation.
    Column {
        visible: root.empty
        anchors.centerIn: parent
        spacing: 12
        Text {
            anchors.horizontalCenter: parent.horizontalCenter
            text: Deck.connection === "live" ? "No terminal is open" : ""
            color: Theme.text
            font.pixelSize: 15
        }
        Text {
            anchors.horizontalCenter: parent.horizontalCenter
            text: Deck.connection === "live" ? "What agents run appears here, live. You can open one yourself." : ""
            color: Theme.dim
            font.pixelSize: Theme.size
        }
        Button {
            id: first
            anchors.horizontalCenter: parent.horizontalCenter
            visible: Deck.connection === "live"
            text: "New terminal"
            primary: true
            onClicked: Deck.perform("terminal.new", "{}")
        }
    }

    TerminalView {
        id: view
        visible: root.terminal !== null
        anchors.fill: parent
        anchors.margins: 8
        anchors.rightMargin: 2
        anchors.bottomMargin: foot.height + 4
        focus: true
        dark: Theme.dark
        pixels: root.pixels
        terminal: root.terminal ? root.terminal.id : ""
        Accessible.role: Accessible.EditableText
        Accessible.name: root.Accessible.name
        Accessible.description: root.terminal ? root.terminal.title : ""
        onKeyed: root.keyed()
        onStateChanged: Deck.note("terminal " + terminal + " " + state)
        onColumnsChanged: Qt.callLater(tellGrid)
        // Where its cells are, for whoever aims at them.
        function tellGrid() {
            const at = mapToItem(null, 0, 0);
            Deck.note("grid " + [at.x, at.y, cellWidth, cellHeight].join(" "));
        }
        onBell: flash.restart()

        MouseArea {
            property int clicks: 0
            property double last: 0
            property point where
            property bool forProgram: false
            anchors.fill: parent
            acceptedButtons: Qt.LeftButton | Qt.MiddleButton | Qt.RightButton
            cursorShape: Qt.IBeamCursor
            onPressed: event => {
                view.forceActiveFocus();
                const now = Date.now();
                const near = Math.abs(event.x - where.x) < 4 && Math.abs(event.y - where.y) < 4;
                clicks = now - last < 400 && near ? clicks % 3 + 1 : 1;
                last = now;
                where = Qt.point(event.x, event.y);
                forProgram = view.press(event.button, clicks, event.modifiers, event.x, event.y);
                if (!forProgram && event.button === Qt.MiddleButton)
                    view.paste(true);
                if (!forProgram && event.button === Qt.RightButton)
                    menu.popup();
            }
            onPositionChanged: event => {
                if (!pressed)
                    return;
                if (!forProgram && event.y < 0)
                    view.scroll(1);
                if (!forProgram && event.y > view.height)
                    view.scroll(-1);
                view.drag(event.buttons & Qt.LeftButton ? Qt.LeftButton : event.buttons, event.modifiers, event.x, event.y, forProgram);
            }
            onReleased: event => view.release(event.button, event.modifiers, event.x, event.y, forProgram)
            property real turned: 0
            onWheel: event => {
                if (event.modifiers & Qt.ControlModifier) {
                    root.zoomed(event.angleDelta.y > 0 ? 1 : -1);
                    return;
                }
                turned += event.angleDelta.y / 120;
                const notches = turned > 0 ? Math.floor(turned) : Math.ceil(turned);
                if (notches !== 0) {
                    turned -= notches;
                    view.wheel(notches, event.modifiers, event.x, event.y);
                }
            }
        }
        Rectangle {
            id: rang
            anchors.fill: parent
            color: Theme.warn
            opacity: 0
            SequentialAnimation {
                id: flash
                NumberAnimation {
                    target: rang
                    property: "opacity"
                    from: 0.16
                    to: 0
                    duration: 150
                }
            }
        }
        Shortcut {
            sequence: "Ctrl+Shift+C"
            onActivated: view.copyMarked()
        }
        Shortcut {
            sequences: ["Ctrl+Shift+V", "Shift+Insert"]
            onActivated: view.paste(false)
        }
        // Tab itself is the terminal's.
        Shortcut {
            sequence: "Ctrl+Tab"
            enabled: view.activeFocus
            onActivated: view.nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
        }
        Shortcut {
            sequence: "Ctrl+Shift+Tab"
            enabled: view.activeFocus
            onActivated: view.nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
        }
        Shortcut {
            sequence: "Shift+PgUp"
            onActivated: view.scroll(Math.max(1, view.rows - 1))
        }
        Shortcut {
            sequence: "Shift+PgDown"
            onActivated: view.scroll(-Math.max(1, view.rows - 1))
        }
        Shortcut {
            sequence: "Ctrl+Shift+Home"
            onActivated: view.scrollTo(view.history)
        }
        Shortcut {
            sequence: "Ctrl+Shift+End"
            onActivated: view.scrollTo(0)
        }
    }

    component Entry: C.MenuItem {
        id: entry
        implicitHeight: Theme.row
        leftPadding: 12
        rightPadding: 12
        contentItem: Text {
            text: entry.text
            color: Theme.text
            font.pixelSize: Theme.size
            verticalAlignment: Text.AlignVCenter
        }
        background: Rectangle {
            radius: 4
            color: entry.highlighted ? Theme.selected : "transparent"
        }
    }
    C.Menu {
        id: menu
        padding: 4
        background: Rectangle {
            implicitWidth: 180
            radius: Theme.radius
            color: Theme.raised
            border.color: Theme.lineStrong
        }
        Entry {
            text: "Copy (Ctrl+Shift+C)"
            onTriggered: view.copyMarked()
        }
        Entry {
            text: "Paste (Ctrl+Shift+V)"
            onTriggered: view.paste(false)
        }
    }

    // How far back one has scrolled.
    Bar {
        id: bar
        visible: view.history > 0 && view.visible
        anchors.right: parent.right
        anchors.top: parent.top
        anchors.bottom: foot.top
        orientation: Qt.Vertical
        size: view.rows / Math.max(1, view.rows + view.history)
        position: (view.history - view.scrolled) / Math.max(1, view.rows + view.history)
        policy: C.ScrollBar.AsNeeded
        onPositionChanged: if (pressed)
            view.scrollTo(view.history - Math.round(position * (view.rows + view.history)))
    }
    Button {
        visible: view.scrolled > 0
        anchors.right: parent.right
        anchors.rightMargin: 20
        anchors.bottom: foot.top
        anchors.bottomMargin: 8
        text: "↓ " + view.scrolled + (view.scrolled === 1 ? " line" : " lines") + " below"
        about: "Back to the end (Ctrl+Shift+End)"
        focusPolicy: Qt.NoFocus
        activeFocusOnTab: false
        primary: true
        onClicked: view.scrollTo(0)
    }

    Rectangle {
        id: foot
        anchors.bottom: parent.bottom
        width: parent.width
        height: 36
        color: Theme.surface
        visible: root.terminal !== null
        Rectangle {
            width: parent.width
            height: 1
            color: Theme.line
        }
        Row {
            id: left
            x: 12
            anchors.verticalCenter: parent.verticalCenter
            width: parent.width - (right.item ? right.width + 12 : 0) - 24
            spacing: 10
            clip: true
            Text {
                text: root.terminal ? root.terminal.mark + " " + root.terminal.id : ""
                color: root.terminal ? Theme.tone(root.terminal.tone) : Theme.dim
                font.pixelSize: Theme.size
            }
            Text {
                text: root.terminal ? root.terminal.state : ""
                color: root.terminal && root.terminal.tone === "danger" ? Theme.danger : Theme.dim
                font.pixelSize: Theme.size
                textFormat: Text.PlainText
            }
            Text {
                readonly property var one: root.terminal
                readonly property bool differs: one && view.columns > 0 && one.running && (one.columns !== view.columns || one.rows !== view.rows)
                visible: differs
                text: differs ? one.columns + "×" + one.rows + (one.sizeBy ? ", as " + one.sizeBy : "") : ""
                color: Theme.dim
                font.pixelSize: Theme.small
                textFormat: Text.PlainText
            }
            Text {
                visible: text !== ""
                text: view.state === "away" ? "the hub is away: this is how it was" : view.state === "live" || view.state === "opening" || view.state === "ended" ? "" : view.state
                color: Theme.warn
                font.pixelSize: Theme.size
                textFormat: Text.PlainText
            }
        }
        // What is not needed is taken away rather than hidden: hidden while its row moves, it stays in the picture in Qt 6.4.
        Loader {
            id: right
            anchors.right: parent.right
            anchors.rightMargin: 8
            anchors.verticalCenter: parent.verticalCenter
            readonly property var one: root.terminal
            sourceComponent: one === null ? null : !one.running ? ended : one.holder ? held : null
        }
        Component {
            id: held
            Row {
                spacing: 8
                readonly property var one: root.terminal
                Text {
                    text: one && one.holder ? (one.mine ? "You hold the controls" : one.holder.person ? "You hold the controls in another window" : one.holder.name + " holds the controls") : ""
                    color: Theme.actor(one ? one.holder : null)
                    font.pixelSize: Theme.size
                    height: Theme.row
                    verticalAlignment: Text.AlignVCenter
                    textFormat: Text.PlainText
                }
                Button {
                    readonly property bool mine: one !== null && one.mine
                    text: mine ? "Hand back" : "Take over"
                    about: text + " (Ctrl+Shift+G)"
                    onClicked: {
                        Deck.perform(mine ? "controls.release" : "controls.take", JSON.stringify({
                            id: one.id
                        }));
                        view.forceActiveFocus();
                    }
                }
            }
        }
        Component {
            id: ended
            Button {
                text: "Remove"
                about: "Remove this terminal with its log"
                onClicked: Deck.perform("terminal.remove", JSON.stringify({
                    id: root.terminal.id
                }))
            }
        }
    }
}
