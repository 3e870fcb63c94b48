import QtQuick
import flightdeck.window

// One of several, of which one counts.
Button {
    property bool chosen: false
    Accessible.role: Accessible.RadioButton
    Accessible.checked: chosen
    background: Rectangle {
        radius: Theme.radius
        color: parent.chosen ? Theme.selected : parent.hovered ? Theme.hover : "transparent"
        border.width: parent.activeFocus ? 2 : 1
        border.color: parent.activeFocus || parent.chosen ? Theme.person : Theme.lineStrong
    }
}
