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
        onChanged: win.nextForward()
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
        if (Deck.connection === "failed")
            start.forceActiveFocus();
        else if (page === "policy")
            policy.takeFocus();
        else if (page === "activity")
            log.takeFocus();
        else
            place.takeFocus();
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
            if (!approval.open && !consent.open && !changes.open && !win.typing() && win.terminal === null)
                Qt.callLater(win.takeFocus);
        }
    }
    // One that was just made: its row may come later.
    property string wanted: ""
    function openWhenThere(id) {
        wanted = id;
        page = "terminals";
        settle();
        takeFocus();
    }

    Component.onCompleted: {
        takeFocus();
        Deck.shown();
    }
    onActiveFocusItemChanged: {
        if (activeFocusItem === null)
            takeFocus();
        else
            Deck.note("focus " + (activeFocusItem.Accessible.name || "something without a name"));
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
        onActivated: panel.takeFocus()
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
        enabled: !approval.open && !consent.open && !changes.open

        Rectangle {
            id: head
            width: parent.width
            height: 40
            color: Theme.surface
            Row {
                x: 12
                anchors.verticalCenter: parent.verticalCenter
                spacing: 12
                Text {
                    text: Deck.workspace
                    color: Theme.text
                    font.pixelSize: 14
                    font.bold: true
                    height: Theme.row
                    verticalAlignment: Text.AlignVCenter
                    textFormat: Text.PlainText
                }
                Row {
                    spacing: 2
                    Repeater {
                        model: [["terminals", "Terminals", "Terminals"], ["policy", "Policy", "Policy (Ctrl+Shift+L)"], ["activity", "Activity", "Activity (Ctrl+Shift+Y)"]]
                        Button {
                            id: tab
                            required property var modelData
                            readonly property bool chosen: win.page === modelData[0]
                            text: modelData[1]
                            about: modelData[2]
                            tone: chosen ? "text" : "dim"
                            Accessible.role: Accessible.PageTab
                            onClicked: win.go(modelData[0])
                            background: Rectangle {
                                radius: Theme.radius
                                color: tab.chosen ? Theme.hover : tab.hovered ? Theme.hover : "transparent"
                                border.width: tab.activeFocus ? 2 : 0
                                border.color: Theme.person
                            }
                        }
                    }
                }
            }
            // Up here it covers nothing that is being read.
            Row {
                visible: Deck.connection === "away"
                anchors.right: flag.visible ? flag.left : parent.right
                anchors.rightMargin: 12
                anchors.verticalCenter: parent.verticalCenter
                spacing: 8
                Text {
                    width: Math.max(0, Math.min(implicitWidth, head.width - 560))
                    height: Theme.row
                    verticalAlignment: Text.AlignVCenter
                    text: "The hub has gone. Terminals go on; this window comes back with it."
                    color: Theme.warn
                    font.pixelSize: Theme.size
                    elide: Text.ElideRight
                }
                Button {
                    text: "Start the hub"
                    onClicked: Deck.perform("hub.start", "{}")
                }
            }
            Button {
                id: flag
                anchors.right: parent.right
                anchors.rightMargin: 12
                anchors.verticalCenter: parent.verticalCenter
                visible: needs.count > 0
                text: "⚑ " + needs.count + (needs.count === 1 ? " needs you" : " need you")
                about: text + " (Ctrl+Shift+U)"
                tone: "warn"
                onClicked: panel.takeFocus()
                background: Rectangle {
                    radius: height / 2
                    color: parent.hovered ? Theme.hover : "transparent"
                    border.width: parent.activeFocus ? 2 : 1
                    border.color: parent.activeFocus ? Theme.person : Theme.warn
                }
            }
            Rectangle {
                anchors.bottom: parent.bottom
                width: parent.width
                height: 1
                color: Theme.line
            }
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
            anchors.right: right.left
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
            // The hub can't be had: what happened, and what to do.
            Rectangle {
                anchors.fill: parent
                visible: Deck.connection === "failed"
                color: Theme.ground
                Column {
                    anchors.centerIn: parent
                    width: Math.min(parent.width - 48, 560)
                    spacing: 12
                    Text {
                        text: "There is no hub for " + Deck.workspace
                        color: Theme.text
                        font.pixelSize: 15
                        font.bold: true
                        textFormat: Text.PlainText
                    }
                    Text {
                        width: parent.width
                        text: Deck.problem
                        color: Theme.dim
                        font.pixelSize: Theme.size
                        wrapMode: Text.Wrap
                        textFormat: Text.PlainText
                    }
                    Button {
                        id: start
                        text: "Start the hub"
                        primary: true
                        onClicked: Deck.perform("hub.start", "{}")
                    }
                }
            }
        }

        Rectangle {
            id: right
            anchors.top: head.bottom
            anchors.bottom: status.top
            anchors.right: parent.right
            width: win.width >= 980 || needs.count > 0 ? Math.min(320, win.width * 0.4) : 0
            visible: width > 0
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

        Rectangle {
            id: status
            anchors.bottom: parent.bottom
            width: parent.width
            height: 26
            color: Theme.surface
            Rectangle {
                width: parent.width
                height: 1
                color: Theme.line
            }
            Text {
                x: 12
                height: parent.height
                verticalAlignment: Text.AlignVCenter
                text: Deck.connection === "live" ? "● live" : Deck.connection === "away" ? "◌ the hub is away" : Deck.connection === "starting" ? "◌ connecting" : "✗ no hub"
                color: Deck.connection === "live" ? Theme.ok : Theme.warn
                font.pixelSize: Theme.small
            }
            Row {
                anchors.right: parent.right
                anchors.rightMargin: 8
                height: parent.height
                spacing: 12
                Text {
                    height: parent.height
                    verticalAlignment: Text.AlignVCenter
                    text: agents.count + (agents.count === 1 ? " agent · " : " agents · ") + terminals.count + (terminals.count === 1 ? " terminal" : " terminals")
                    color: Theme.dim
                    font.pixelSize: Theme.small
                }
                Button {
                    implicitHeight: 22
                    anchors.verticalCenter: parent.verticalCenter
                    text: Theme.dark ? "Light" : "Dark"
                    about: "Use the " + (Theme.dark ? "light" : "dark") + " colours"
                    bare: true
                    tone: "dim"
                    onClicked: Theme.chosen = Theme.dark ? "light" : "dark"
                }
            }
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
    Overlay {
        id: changes
        property var all: []
        wide: 640
        label: "The rules were changed from outside"
        onReadyChanged: if (ready)
            reject.forceActiveFocus()
        onClosed: win.rest()
        function show(found) {
            if (found.length === 0) {
                toasts.tell("info", "Nothing waits: the policy files are in force");
                return;
            }
            all = found;
            open = true;
        }
        Text {
            text: changes.label
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
            model: changes.all
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
                    text: change.modelData.problem ?? ""
                    color: Theme.danger
                    font.pixelSize: Theme.size
                    wrapMode: Text.Wrap
                    textFormat: Text.PlainText
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
                Text {
                    width: parent.width
                    text: change.modelData.diff
                    color: Theme.text
                    font.family: Theme.code
                    font.pixelSize: Theme.small
                    wrapMode: Text.WrapAnywhere
                    textFormat: Text.PlainText
                }
            }
        }
        Row {
            spacing: 8
            Button {
                id: reject
                text: "Put them back"
                tone: "danger"
                onClicked: if (changes.ready) {
                    Deck.perform("policy.reject", "{}");
                    changes.open = false;
                }
            }
            Button {
                text: "Accept"
                enabled: changes.all.some(one => !one.problem)
                onClicked: if (changes.ready) {
                    Deck.perform("policy.accept", JSON.stringify({
                        versions: changes.all.filter(one => !one.problem).map(one => one.version)
                    }));
                    changes.open = false;
                }
            }
        }
    }
}
