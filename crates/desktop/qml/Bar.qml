import QtQuick
import QtQuick.Controls.Basic as C

// A bar to scroll with. Whoever has no mouse scrolls with keys, so Tab passes it by.
C.ScrollBar {
    Accessible.name: "Scroll"
    activeFocusOnTab: false
}
