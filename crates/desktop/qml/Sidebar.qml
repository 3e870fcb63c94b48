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

    function move(by) {
        const at = terminals.indexOf(current) + by;
        if (at >= 0 && at < terminals.count)
            picked(JSON.parse(terminals.at(at)).id);
    }

    Item {
        id: head
        width: parent.width
        height: 36
        Text {
            x: 12
            anchors.verticalCenter: parent.verticalCenter
            text: "TERMINALS"
            color: Theme.dim
            font.pixelSize: 11
            font.bold: true
            font.letterSpacing: 0.8
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
        Accessible.name: "Terminals"
        Keys.onUpPressed: root.move(-1)
        Keys.onDownPressed: root.move(1)
        Keys.onReturnPressed: root.entered()
        Keys.onEnterPressed: root.entered()
        C.ScrollBar.vertical: Bar {}

        delegate: Rectangle {
            id: row
            required property string json
            readonly property var terminal: JSON.parse(json)
            readonly property bool isCurrent: terminal.id === root.current
            width: list.width
            height: 46
            color: isCurrent ? Theme.selected : area.containsMouse ? Theme.hover : "transparent"
            Accessible.role: Accessible.ListItem
            Accessible.name: terminal.id + " " + terminal.title + ", " + terminal.state + (terminal.holder ? ", " + terminal.holder.name + (terminal.mine ? " hold" : " holds") + " the controls" : "")

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
                    root.entered();
                }
            }
        }
    }
}
