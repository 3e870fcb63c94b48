import QtQuick
import QtQuick.Controls.Basic as C
import flightdeck.window

// A line to write into.
C.TextField {
    id: root

    property string about: placeholderText
    property bool isCode: false

    implicitHeight: Theme.row
    leftPadding: 8
    rightPadding: 8
    topPadding: 0
    bottomPadding: 0
    verticalAlignment: TextInput.AlignVCenter
    color: Theme.text
    placeholderTextColor: Theme.dim
    selectionColor: Theme.person
    selectedTextColor: Theme.onAccent
    selectByMouse: true
    font.pixelSize: Theme.size
    font.family: isCode ? Theme.code : Qt.application.font.family
    Accessible.name: about
    onTextEdited: Window.window.lastKey = Date.now()

    background: Rectangle {
        radius: Theme.radius
        color: Theme.ground
        border.width: root.activeFocus ? 2 : 1
        border.color: root.activeFocus ? Theme.person : Theme.lineStrong
    }
}
