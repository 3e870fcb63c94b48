import QtQuick
import QtQuick.Controls.Basic as C
import flightdeck.window

// Who did what, newest first, from the audit log.
FocusScope {
    id: root

    required property Rows activity
    signal open(string terminal)

    function takeFocus() {
        filter.forceActiveFocus();
    }
    function words(one) {
        return [one.actor.name, one.deed, one.code, one.after, one.result, one.ruling, one.error].join(" ");
    }
    function fits(one) {
        return filter.text === "" || words(one).toLowerCase().includes(filter.text.toLowerCase());
    }
    // Goes to the terminal that the entry is about.
    function enter() {
        const one = JSON.parse(activity.at(list.currentIndex) || "{}");
        if (one.terminal)
            open(one.terminal);
    }
    Rectangle {
        anchors.fill: parent
        color: Theme.ground
    }
    Field {
        id: filter
        x: 24
        y: 12
        width: Math.min(parent.width - 48, 420)
        placeholderText: "Filter: who, what, how it ended"
        about: "Filter the activity"
        onTextChanged: {
            list.currentIndex = -1;
            list.step(1);
        }
    }
    Text {
        visible: root.activity.count === 0 || list.contentHeight === 0
        anchors.centerIn: parent
        width: Math.min(implicitWidth, parent.width - 48)
        text: root.activity.count === 0 ? "Nothing has been done yet. Every call of an agent or a person is listed here." : "Nothing of it has “" + filter.text + "” in it."
        color: Theme.dim
        font.pixelSize: Theme.size
        wrapMode: Text.Wrap
        textFormat: Text.PlainText
    }
    ListView {
        id: list
        anchors.top: filter.bottom
        anchors.topMargin: 8
        anchors.bottom: parent.bottom
        x: 12
        width: parent.width - 24
        clip: true
        boundsBehavior: Flickable.StopAtBounds
        model: root.activity
        activeFocusOnTab: true
        // The first that fits may come after it was asked for.
        onCountChanged: if (currentIndex < 0)
            step(1)
        // What does not fit the filter is stepped over.
        function step(by) {
            for (let at = currentIndex + by; at >= 0 && at < count; at += by) {
                if (root.fits(JSON.parse(root.activity.at(at)))) {
                    currentIndex = at;
                    return;
                }
            }
        }
        Keys.onUpPressed: step(-1)
        Keys.onDownPressed: step(1)
        Keys.onReturnPressed: root.enter()
        Keys.onEnterPressed: root.enter()
        highlightMoveDuration: 0
        Accessible.role: Accessible.List
        Accessible.name: "Activity"
        C.ScrollBar.vertical: Bar {}

        delegate: Item {
            id: entry
            required property string json
            required property int index
            readonly property var one: JSON.parse(json)
            readonly property bool fits: root.fits(one)
            width: list.width
            height: fits ? (more.visible ? 46 : Theme.row) : 0
            visible: fits
            Accessible.role: Accessible.ListItem
            Accessible.name: root.words(one)
            Rectangle {
                anchors.fill: parent
                radius: 4
                color: list.activeFocus && list.currentIndex === entry.index ? Theme.selected : area.containsMouse ? Theme.hover : "transparent"
            }
            Text {
                id: time
                x: 12
                height: Theme.row
                verticalAlignment: Text.AlignVCenter
                text: new Date(entry.one.atMs).toLocaleTimeString(Qt.locale("C"), "HH:mm:ss")
                color: Theme.dim
                font.family: Theme.code
                font.pixelSize: Theme.small
            }
            Text {
                id: mark
                anchors.left: time.right
                anchors.leftMargin: 12
                height: Theme.row
                verticalAlignment: Text.AlignVCenter
                width: 16
                text: entry.one.mark
                color: Theme.tone(entry.one.tone)
                font.pixelSize: Theme.size
            }
            Text {
                id: who
                anchors.left: mark.right
                anchors.leftMargin: 6
                height: Theme.row
                verticalAlignment: Text.AlignVCenter
                text: entry.one.actor.name
                color: Theme.actor(entry.one.actor)
                font.pixelSize: Theme.size
                font.bold: true
                textFormat: Text.PlainText
            }
            Text {
                id: deed
                anchors.left: who.right
                anchors.leftMargin: 6
                width: Math.min(implicitWidth, Math.max(0, entry.width - x - took.width - 24))
                elide: Text.ElideRight
                height: Theme.row
                verticalAlignment: Text.AlignVCenter
                text: entry.one.deed
                color: Theme.text
                font.pixelSize: Theme.size
            }
            Text {
                id: code
                anchors.left: deed.right
                anchors.leftMargin: text === "" ? 0 : 6
                width: Math.min(implicitWidth, Math.max(0, entry.width - x - took.width - after.implicitWidth - 40))
                height: Theme.row
                verticalAlignment: Text.AlignVCenter
                text: entry.one.code
                color: Theme.text
                font.family: Theme.code
                font.pixelSize: Theme.size
                elide: Text.ElideRight
                textFormat: Text.PlainText
            }
            Text {
                id: after
                anchors.left: code.right
                height: Theme.row
                verticalAlignment: Text.AlignVCenter
                text: entry.one.after
                color: Theme.dim
                font.pixelSize: Theme.size
            }
            Text {
                id: took
                anchors.right: parent.right
                anchors.rightMargin: 12
                height: Theme.row
                verticalAlignment: Text.AlignVCenter
                text: (entry.one.tone === "ok" ? "" : entry.one.result + "  ") + (entry.one.durationMs ? Theme.duration(entry.one.durationMs) : "")
                color: entry.one.tone === "danger" ? Theme.danger : entry.one.tone === "warn" ? Theme.warn : Theme.dim
                font.pixelSize: Theme.small
            }
            Text {
                id: more
                visible: text !== ""
                anchors.left: mark.right
                anchors.leftMargin: 6
                anchors.right: parent.right
                anchors.rightMargin: 12
                y: 25
                text: [entry.one.ruling, entry.one.error].filter(part => part !== "").join(" · ")
                color: Theme.dim
                font.pixelSize: Theme.small
                elide: Text.ElideRight
                textFormat: Text.PlainText
            }
            MouseArea {
                id: area
                anchors.fill: parent
                hoverEnabled: true
                onClicked: {
                    list.currentIndex = entry.index;
                    root.enter();
                }
            }
        }
    }
}
