import QtQuick
import flightdeck.window

// What stands above everything else until it is answered or put away. Keys that were on their way when it appeared count
// for nothing.
FocusScope {
    id: root

    property bool open: false
    property bool ready: false
    // It is on the screen.
    property bool seen: false
    property string label: ""
    property int wide: 560
    default property alias content: inner.data
    signal closed

    anchors.fill: parent
    visible: open
    focus: open
    z: 10
    Accessible.role: Accessible.Dialog
    Accessible.name: label

    onOpenChanged: {
        ready = false;
        seen = false;
        guard.stop();
        if (open) {
            Deck.note("dialog " + label);
            nobody.forceActiveFocus();
        } else {
            Deck.note("dialog closed");
            root.closed();
        }
    }
    // What can't be seen yet is not answered: the time begins with the first picture of it.
    Connections {
        target: root.Window.window
        enabled: root.open && !root.seen
        function onFrameSwapped() {
            root.seen = true;
            guard.restart();
        }
    }
    Timer {
        id: guard
        interval: 600
        onTriggered: {
            Deck.note("dialog ready");
            root.ready = true;
        }
    }
    // Nothing reaches what is below. Until it is ready nothing inside has the keyboard, and whoever still types puts that off.
    Keys.onPressed: event => {
        event.accepted = true;
        if (!ready) {
            Deck.note("dialog too early");
            if (seen)
                guard.restart();
        } else if (event.key === Qt.Key_Escape)
            open = false;
    }

    // Has the keyboard until the person can have read what is asked.
    Item {
        id: nobody
        Accessible.role: Accessible.Dialog
        Accessible.name: root.label
    }
    Rectangle {
        anchors.fill: parent
        color: Theme.shade
        MouseArea {
            anchors.fill: parent
            hoverEnabled: true
            onWheel: wheel => wheel.accepted = true
        }
    }
    Rectangle {
        id: box
        width: Math.min(root.wide, root.width - 32)
        height: Math.min(inner.implicitHeight + 32, root.height - 32)
        anchors.horizontalCenter: parent.horizontalCenter
        y: Math.max(16, (root.height - height) / 3)
        color: Theme.raised
        radius: Theme.radius + 2
        border.color: Theme.lineStrong
        MouseArea {
            anchors.fill: parent
        }
        Scroller {
            anchors.fill: parent
            anchors.topMargin: 16
            anchors.bottomMargin: 16
            contentHeight: inner.implicitHeight
            Column {
                id: inner
                x: 16
                width: parent.width - 32
                spacing: 12
            }
        }
    }
}
