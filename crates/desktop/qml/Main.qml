import QtQuick
import QtQuick.Controls.Basic as C
import flightdeck.window

C.ApplicationWindow {
    id: win

    property string page: "terminals"
    property string current: ""
    property int pixels: 13
    // When a key went into a terminal or a text last: nothing opens over somebody who types.
    property double lastKey: 0
    property double now: Date.now()
    // Requests that come forward, the next one first.
    property var forward: []
    // There is no room for three columns. What needs somebody is laid over the others then, when it is asked for: a request of
    // an agent is no reason for a terminal to change its size.
    readonly property bool narrow: width < 980
    property bool looking: false
    // A dialog has the keyboard.
    readonly property bool asking: approval.open || consent.open || changes.open

    width: 1200
    height: 760
    minimumWidth: 640
    minimumHeight: 360
    visible: true
    color: Theme.ground
    title: (needs.count > 0 ? "(" + needs.count + ") " : "") + Deck.workspace + " · Flightdeck"

    palette.window: Theme.ground
    palette.windowText: Theme.text
    palette.base: Theme.raised
    palette.text: Theme.text
    palette.button: Theme.raised
    palette.buttonText: Theme.text
    palette.mid: Theme.lineStrong
    palette.dark: Theme.dim
    palette.light: Theme.hover
    palette.midlight: Theme.hover
    palette.highlight: Theme.person
    palette.highlightedText: Theme.onAccent
    palette.toolTipBase: Theme.raised
    palette.toolTipText: Theme.text

    Rows {
        id: terminals
        list: "terminals"
        onChanged: win.settle()
    }
    Rows {
        id: agents
        list: "agents"
    }
    Rows {
        id: needs
        list: "needs"
        onChanged: {
            Deck.note("needs " + count);
            win.nextForward();
        }
    }
    Rows {
        id: rules
        list: "rules"
    }
    Rows {
        id: stances
        list: "stances"
    }
    Rows {
        id: activity
        list: "activity"
    }

    property var terminal: null
    readonly property string controls: terminal === null ? "" : "controls of " + terminal.id + " " + (terminal.mine ? "mine" : terminal.holder ? terminal.holder.person ? "yours, in another window" : terminal.holder.name : "free")
    onControlsChanged: if (controls !== "")
        Deck.note(controls)
    // Shows the terminal that was chosen, or one that there is.
    function settle() {
        if (terminals.count === 0) {
            current = "";
            terminal = null;
            return;
        }
        if (wanted !== "" && terminals.indexOf(wanted) >= 0) {
            current = wanted;
            wanted = "";
        }
        if (terminals.indexOf(current) < 0) {
            let found = JSON.parse(terminals.at(terminals.count - 1)).id;
            for (let at = terminals.count - 1; at >= 0; at--) {
                const one = JSON.parse(terminals.at(at));
                if (one.running && !one.pipes) {
                    found = one.id;
                    break;
                }
            }
            current = found;
        }
        terminal = JSON.parse(terminals.find(current));
    }
    function pick(id) {
        current = id;
        page = "terminals";
        settle();
        Deck.note("picked " + id);
    }
    function go(name) {
        page = name;
        Deck.note("page " + name);
        if (name === "policy")
            Deck.perform("policy.show", "{}");
        takeFocus();
    }
    function takeFocus() {
        if (asking)
            return;
        if (Deck.connection === "failed")
            nothing.takeFocus();
        else if (page === "policy")
            policy.takeFocus();
        else if (page === "activity")
            log.takeFocus();
        else
            place.takeFocus();
    }
    function showNeeds() {
        looking = true;
        panel.takeFocus();
    }
    function resize(size) {
        pixels = Math.max(8, Math.min(32, size));
        Deck.note("text of " + pixels + " pixels");
    }
    function typing() {
        return Date.now() - lastKey < 1500;
    }

    // A request comes forward as a dialog, but never over somebody who types, nor over another dialog.
    function nextForward() {
        forward = forward.filter(id => needs.indexOf(id) >= 0);
        if (approval.open) {
            if (approval.need && needs.indexOf(approval.need.id) < 0)
                approval.open = false;
            return;
        }
        if (consent.open || changes.open || forward.length === 0)
            return;
        if (typing()) {
            later.restart();
            return;
        }
        approval.need = JSON.parse(needs.find(forward[0]));
        approval.open = true;
    }
    // After a dialog: the keyboard goes back, and what else waits may come.
    function rest() {
        Qt.callLater(win.takeFocus);
        later.restart();
    }
    function bringForward(id) {
        forward = [id].concat(forward.filter(one => one !== id));
        lastKey = 0;
        nextForward();
    }
    Timer {
        id: later
        interval: 300
        onTriggered: win.nextForward()
    }
    // Ages go on only while there is something whose age is shown, and somebody looks.
    Timer {
        interval: 1000
        repeat: true
        running: win.active && (needs.count > 0 || agents.count > 0)
        onTriggered: win.now = Date.now()
    }

    Connections {
        target: Deck
        function onArrived(id) {
            win.now = Date.now();
            win.forward = win.forward.filter(one => one !== id).concat([id]);
            // In front of the others and asking for attention, but the keyboard stays where it is.
            win.raise();
            win.alert(0);
            if (!win.active) {
                const json = needs.find(id);
                if (json !== "") {
                    const need = JSON.parse(json);
                    Deck.notify(need.actor.name + " " + need.heading, need.text);
                }
            }
            Deck.note("arrived " + id);
            later.restart();
        }
        function onToast(tone, text) {
            toasts.tell(tone, text);
        }
        function onAnswered(what, json) {
            if (what === "opened")
                win.openWhenThere(JSON.parse(json).id);
            else if (what === "changes")
                changes.show(JSON.parse(json).changes);
        }
        function onConnectionChanged() {
            Deck.note("shows " + Deck.connection);
            // The button that can be pressed now is another one.
            if (!win.typing() && win.terminal === null)
                Qt.callLater(win.takeFocus);
        }
    }
    // One that was just made: its row may come later.
    property string wanted: ""
    function openWhenThere(id) {
        wanted = id;
        sidebar.filter = "";
        page = "terminals";
        settle();
        takeFocus();
    }

    Component.onCompleted: {
        takeFocus();
        Deck.shown();
    }
    // What had the keyboard is gone, or can't be seen any more.
    function isLost() {
        return activeFocusItem === null || !activeFocusItem.visible || activeFocusItem === contentItem || activeFocusItem === contentItem.parent;
    }
    readonly property bool seen: activeFocusItem !== null && activeFocusItem.visible
    onSeenChanged: Qt.callLater(win.regain)
    function regain() {
        if (active && isLost())
            takeFocus();
    }
    onActiveFocusItemChanged: {
        if (!isLost())
            Deck.note("focus " + (activeFocusItem.Accessible.name || "something without a name"));
        else
            Qt.callLater(win.regain);
    }
    // Whoever comes back finds the keyboard where it was, or somewhere at least.
    onActiveChanged: {
        Deck.note("window " + (active ? "active" : "inactive"));
        Qt.callLater(win.regain);
    }

    Shortcut {
        sequence: "Ctrl+Shift+T"
        onActivated: Deck.perform("terminal.new", "{}")
    }
    Shortcut {
        sequence: "Ctrl+PgUp"
        onActivated: sidebar.move(-1)
    }
    Shortcut {
        sequence: "Ctrl+PgDown"
        onActivated: sidebar.move(1)
    }
    Shortcut {
        sequence: "Ctrl+Shift+G"
        enabled: win.terminal !== null && !!win.terminal.holder
        onActivated: Deck.perform(win.terminal.mine ? "controls.release" : "controls.take", JSON.stringify({
            id: win.terminal.id
        }))
    }
    Shortcut {
        sequence: "Ctrl+Shift+U"
        onActivated: win.showNeeds()
    }
    Shortcut {
        sequence: "Ctrl+Shift+E"
        onActivated: {
            win.page = "terminals";
            sidebar.forceActiveFocus();
        }
    }
    Shortcut {
        sequence: "Ctrl+Shift+L"
        onActivated: win.go(win.page === "policy" ? "terminals" : "policy")
    }
    Shortcut {
        sequence: "Ctrl+Shift+Y"
        onActivated: win.go(win.page === "activity" ? "terminals" : "activity")
    }
    Shortcut {
        sequences: ["Ctrl++", "Ctrl+="]
        onActivated: win.resize(win.pixels + 1)
    }
    Shortcut {
        sequence: "Ctrl+-"
        onActivated: win.resize(win.pixels - 1)
    }
    Shortcut {
        sequence: "Ctrl+0"
        onActivated: win.resize(13)
    }

    Item {
        anchors.fill: parent
        // Below a dialog nothing has the keyboard.
        enabled: !win.asking

        HeadBar {
            id: head
            width: parent.width
            page: win.page
            needs: needs.count
            onChosen: name => win.go(name)
            onAsked: win.showNeeds()
        }

        Rectangle {
            id: left
            anchors.top: head.bottom
            anchors.bottom: status.top
            width: 232
            color: Theme.surface
            Sidebar {
                id: sidebar
                anchors.fill: parent
                anchors.rightMargin: 1
                terminals: terminals
                current: win.current
                onPicked: id => win.pick(id)
                onEntered: win.takeFocus()
            }
            Rectangle {
                anchors.right: parent.right
                width: 1
                height: parent.height
                color: Theme.line
            }
        }

        Item {
            anchors.top: head.bottom
            anchors.bottom: status.top
            anchors.left: left.right
            anchors.right: win.narrow ? parent.right : right.left
            TerminalPage {
                id: place
                anchors.fill: parent
                visible: win.page === "terminals"
                terminal: win.terminal
                pixels: win.pixels
                focus: true
                onKeyed: win.lastKey = Date.now()
                onZoomed: by => win.resize(win.pixels + by)
            }
            PolicyPage {
                id: policy
                anchors.fill: parent
                visible: win.page === "policy"
                rules: rules
                stances: stances
            }
            ActivityPage {
                id: log
                anchors.fill: parent
                visible: win.page === "activity"
                activity: activity
                onOpen: id => win.pick(id)
            }
            NoHub {
                id: nothing
                anchors.fill: parent
            }
        }

        Rectangle {
            id: right
            anchors.top: head.bottom
            anchors.bottom: status.top
            anchors.right: parent.right
            width: 320
            z: 5
            visible: !win.narrow || win.looking
            color: Theme.surface
            NeedsPanel {
                id: panel
                anchors.fill: parent
                needs: needs
                agents: agents
                now: win.now
                onOpen: id => {
                    win.pick(id);
                    win.takeFocus();
                }
                onDone: win.takeFocus()
                onActiveFocusChanged: if (!activeFocus)
                    win.looking = false
                onEnlarge: id => win.bringForward(id)
                onReview: Deck.perform("policy.changes", "{}")
                onConsent: {
                    consent.text = JSON.parse(needs.find("consent")).text;
                    consent.open = true;
                }
            }
            Rectangle {
                width: 1
                height: parent.height
                color: Theme.line
            }
        }

        StatusBar {
            id: status
            anchors.bottom: parent.bottom
            width: parent.width
            agents: agents.count
            terminals: terminals.count
        }

        Toasts {
            id: toasts
            anchors.bottom: status.top
            anchors.bottomMargin: 48
            anchors.left: left.right
            anchors.leftMargin: 24
            z: 20
        }
    }

    ApprovalDialog {
        id: approval
        waiting: win.forward.length
        onClosed: {
            // Whoever puts one away is not shown the next one; the cards stay.
            win.forward = done && need ? win.forward.filter(id => id !== need.id) : win.forward.filter(id => needs.indexOf(id) < 0);
            win.rest();
        }
    }
    ConsentDialog {
        id: consent
        onClosed: win.rest()
    }
    ChangesDialog {
        id: changes
        onClosed: win.rest()
        onTold: (tone, text) => toasts.tell(tone, text)
    }
}
