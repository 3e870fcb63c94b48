import QtQuick
import QtQuick.Controls.Basic as C
import flightdeck.window

// A text that somebody else wrote. When there is not room for all of it that can be seen, and keys scroll it too.
Rectangle {
    id: root

    property alias text: words.text
    property alias textFormat: words.textFormat
    property alias wrapMode: words.wrapMode
    property alias size: words.font.pixelSize
    property string about: ""
    property int tallest: 140
    property color edge: Theme.line
    readonly property bool more: words.implicitHeight > area.height

    implicitHeight: Math.min(words.implicitHeight + 16, tallest)
    height: implicitHeight
    color: Theme.ground
    radius: 4
    border.width: activeFocus ? 2 : 1
    border.color: activeFocus ? Theme.person : edge
    activeFocusOnTab: more
    Accessible.role: Accessible.StaticText
    Accessible.name: about
    Accessible.focusable: more

    function scroll(by) {
        area.contentY = Math.max(0, Math.min(area.contentHeight - area.height, area.contentY + by));
    }
    Keys.onUpPressed: scroll(-20)
    Keys.onDownPressed: scroll(20)
    Keys.onPressed: event => {
        const page = area.height - 20;
        const by = event.key === Qt.Key_PageUp ? -page : event.key === Qt.Key_PageDown ? page : event.key === Qt.Key_Home ? -area.contentHeight : event.key === Qt.Key_End ? area.contentHeight : 0;
        if (by !== 0) {
            scroll(by);
            event.accepted = true;
        }
    }

    Flickable {
        id: area
        anchors.fill: parent
        anchors.margins: 8
        anchors.rightMargin: 2
        contentHeight: words.implicitHeight
        boundsBehavior: Flickable.StopAtBounds
        clip: true
        C.ScrollBar.vertical: Bar {
            policy: root.more ? C.ScrollBar.AlwaysOn : C.ScrollBar.AlwaysOff
        }
        Text {
            id: words
            width: area.width - 12
            color: Theme.text
            font.family: Theme.code
            font.pixelSize: Theme.size
            wrapMode: Text.WrapAnywhere
            textFormat: Text.PlainText
        }
    }
}
