import QtQuick
import QtQuick.Controls.Basic as C
import flightdeck.window

// A button that Space and Enter press, with a ring when the keyboard is on it.
C.AbstractButton {
    id: root

    property string tone: "text"
    // Without a frame.
    property bool bare: false
    property bool primary: false
    property string about: ""

    implicitHeight: Theme.row
    implicitWidth: Math.max(Theme.row, label.implicitWidth + 20)
    focusPolicy: Qt.StrongFocus
    activeFocusOnTab: true
    hoverEnabled: true
    opacity: enabled ? 1 : 0.5
    Accessible.role: Accessible.Button
    Accessible.name: about !== "" ? about : text
    Accessible.onPressAction: root.clicked()
    Keys.onReturnPressed: root.clicked()
    Keys.onEnterPressed: root.clicked()

    C.ToolTip.visible: about !== "" && about !== text && hovered
    C.ToolTip.text: about
    C.ToolTip.delay: 600

    contentItem: Text {
        id: label
        text: root.text
        color: root.primary ? Theme.onAccent : Theme.tone(root.tone)
        font.pixelSize: Theme.size
        horizontalAlignment: Text.AlignHCenter
        verticalAlignment: Text.AlignVCenter
        textFormat: Text.PlainText
    }
    background: Rectangle {
        radius: Theme.radius
        color: root.primary ? Theme.person : root.down || root.hovered ? Theme.hover : "transparent"
        border.width: root.activeFocus ? 2 : root.bare ? 0 : 1
        border.color: root.activeFocus ? Theme.person : root.tone === "danger" ? Qt.alpha(Theme.danger, 0.6) : Theme.lineStrong
    }
}
