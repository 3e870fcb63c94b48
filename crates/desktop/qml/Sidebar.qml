import QtQuick
import QtQuick.Controls.Basic as C
import flightdeck.window

// The terminals: what each does, and who holds its controls.
FocusScope {
    id: root

    required property Rows terminals
    property string current: ""
    signal picked(string id)
    signal entered
    // What is typed while the keyboard is here: only what has it is listed.
    property string filter: ""
    onFilterChanged: {
        const here = terminals.find(current);
        if (here === "" || !fits(JSON.parse(here)))
            step(-1, 1);
    }

    function fits(one) {
        const words = [one.id, one.title, one.state, one.holder ? one.holder.name : ""].join(" ");
        return filter === "" || words.toLowerCase().includes(filter.toLowerCase());
    }
    function move(by) {
        step(terminals.indexOf(current), by);
    }
    function step(from, by) {
        for (let at = from + by; at >= 0 && at < terminals.count; at += by) {
            const one = JSON.parse(terminals.at(at));
            if (fits(one)) {
                picked(one.id);
                return;
            }
        }
    }
    function enter() {
        filter = "";
        entered();
    }

    Item {
        id: head
        width: parent.width
        height: 36
        Text {
            x: 12
            anchors.verticalCenter: parent.verticalCenter
            width: parent.width - 60
            text: root.filter === "" ? "TERMINALS" : "with “" + root.filter + "” · Esc shows all"
            color: root.filter === "" ? Theme.dim : Theme.person
            font.pixelSize: root.filter === "" ? 11 : Theme.small
            font.bold: root.filter === ""
            font.letterSpacing: root.filter === "" ? 0.8 : 0
            elide: Text.ElideMiddle
            textFormat: Text.PlainText
        }
        Button {
            anchors.right: parent.right
            anchors.rightMargin: 6
            anchors.verticalCenter: parent.verticalCenter
            text: "+"
            about: "New terminal (Ctrl+Shift+T)"
            bare: true
            enabled: Deck.connection === "live"
            onClicked: Deck.perform("terminal.new", "{}")
        }
    }
    ListView {
        id: list
        anchors.top: head.bottom
        anchors.bottom: parent.bottom
        width: parent.width
        focus: true
        clip: true
        activeFocusOnTab: true
        boundsBehavior: Flickable.StopAtBounds
        model: root.terminals
        currentIndex: root.terminals.count > 0 ? root.terminals.indexOf(root.current) : -1
        highlightMoveDuration: 0
        Accessible.role: Accessible.List
        Accessible.name: root.filter === "" ? "Terminals" : "Terminals with " + root.filter
        Keys.onUpPressed: root.move(-1)
        Keys.onDownPressed: root.move(1)
        Keys.onReturnPressed: root.enter()
        Keys.onEnterPressed: root.enter()
        Keys.onPressed: event => {
            const letter = event.text.length === 1 && event.text >= " " && event.key !== Qt.Key_Delete && !(event.modifiers & (Qt.ControlModifier | Qt.AltModifier | Qt.MetaModifier));
            if (root.filter !== "" && event.key === Qt.Key_Escape)
                root.filter = "";
            else if (root.filter !== "" && event.key === Qt.Key_Backspace)
                root.filter = root.filter.slice(0, -1);
            else if (letter && (root.filter !== "" || event.text !== " "))
                root.filter += event.text;
            else
                return;
            event.accepted = true;
        }
        C.ScrollBar.vertical: Bar {}

        delegate: Rectangle {
            id: row
            required property string json
            readonly property var terminal: JSON.parse(json)
            readonly property bool isCurrent: terminal.id === root.current
            readonly property bool fits: root.filter === "" || root.fits(terminal)
            width: list.width
            height: fits ? 46 : 0
            visible: fits
            color: isCurrent ? Theme.selected : area.containsMouse ? Theme.hover : "transparent"
            Accessible.role: Accessible.ListItem
            Accessible.name: terminal.id + " " + terminal.title + ", " + terminal.state + (terminal.holder ? ", " + terminal.holder.name + (terminal.holder.person ? " hold" : " holds") + " the controls" : "")

            Rectangle {
                width: 2
                height: parent.height
                color: Theme.person
                visible: row.isCurrent
            }
            Rectangle {
                anchors.fill: parent
                anchors.margins: 1
                color: "transparent"
                border.width: 2
                border.color: Theme.person
                radius: 4
                visible: row.isCurrent && list.activeFocus
            }
            Text {
                id: mark
                x: 12
                y: 6
                width: 16
                text: row.terminal.mark
                color: Theme.tone(row.terminal.tone)
                font.pixelSize: Theme.size
            }
            Text {
                id: name
                anchors.left: mark.right
                y: 6
                text: row.terminal.id
                color: Theme.dim
                font.pixelSize: Theme.size
                font.family: Theme.code
            }
            Text {
                anchors.left: name.right
                anchors.leftMargin: 8
                anchors.right: parent.right
                anchors.rightMargin: 10
                y: 6
                text: row.terminal.title
                color: Theme.text
                font.pixelSize: Theme.size
                elide: Text.ElideRight
                textFormat: Text.PlainText
            }
            Text {
                anchors.left: mark.right
                anchors.right: holder.left
                anchors.rightMargin: 8
                y: 25
                text: row.terminal.state
                color: row.terminal.tone === "danger" || row.terminal.tone === "warn" ? Theme.tone(row.terminal.tone) : Theme.dim
                font.pixelSize: Theme.small
                elide: Text.ElideRight
                textFormat: Text.PlainText
            }
            Text {
                id: holder
                anchors.right: parent.right
                anchors.rightMargin: 10
                y: 25
                text: row.terminal.holder && row.terminal.running ? "⌨ " + row.terminal.holder.name : ""
                color: Theme.actor(row.terminal.holder)
                font.pixelSize: Theme.small
                textFormat: Text.PlainText
            }
            MouseArea {
                id: area
                anchors.fill: parent
                hoverEnabled: true
                onClicked: {
                    root.picked(row.terminal.id);
                    root.enter();
                }
            }
        }
    }
}
