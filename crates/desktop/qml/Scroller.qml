import QtQuick
import QtQuick.Controls.Basic as C
import flightdeck.window

// More than there may be room for. What the keyboard goes to is brought into sight.
Flickable {
    id: root

    readonly property Item at: Window.activeFocusItem
    onAtChanged: follow()
    onHeightChanged: follow()

    function follow() {
        let inside = at;
        while (inside && inside !== contentItem)
            inside = inside.parent;
        if (!inside)
            return;
        const top = at.mapToItem(contentItem, 0, 0).y;
        const bottom = top + at.height;
        if (bottom > contentY + height)
            contentY = Math.min(bottom + 8, contentHeight) - height;
        if (top < contentY)
            contentY = Math.max(0, top - 8);
    }

    boundsBehavior: Flickable.StopAtBounds
    clip: true
    C.ScrollBar.vertical: Bar {}
}
