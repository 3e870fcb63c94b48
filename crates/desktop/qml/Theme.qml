pragma Singleton

import QtQuick
import flightdeck.window

// The colours and measures. The colours come from the file that the page of the browser has them from.
QtObject {
    id: root

    readonly property SystemPalette system: SystemPalette {
        colorGroup: SystemPalette.Active
    }
    // What the person chose in this window, or else the command line, or else the desktop.
    property string chosen: Deck.theme
    readonly property bool dark: chosen === "dark" || (chosen !== "light" && system.window.hslLightness < 0.5)
    readonly property var all: JSON.parse(dark ? Deck.dark : Deck.light)

    readonly property color ground: all.ground
    readonly property color surface: all.surface
    readonly property color raised: all.raised
    readonly property color line: all.line
    readonly property color lineStrong: all.line_strong
    readonly property color text: all.text
    readonly property color dim: all.dim
    readonly property color person: all.person
    readonly property color agent: all.agent
    readonly property color ok: all.ok
    readonly property color warn: all.warn
    readonly property color danger: all.danger
    readonly property color onAccent: all.on_accent
    readonly property color hover: Qt.rgba(text.r, text.g, text.b, 0.07)
    readonly property color selected: Qt.rgba(person.r, person.g, person.b, 0.16)
    readonly property color shade: Qt.rgba(0, 0, 0, dark ? 0.5 : 0.18)

    readonly property int row: 28
    readonly property int radius: 6
    readonly property int size: 13
    readonly property int small: 12
    readonly property string code: "monospace"

    function tone(name) {
        switch (name) {
        case "ok":
            return ok;
        case "warn":
            return warn;
        case "danger":
            return danger;
        case "agent":
            return agent;
        case "person":
            return person;
        case "dim":
            return dim;
        default:
            return text;
        }
    }

    // People are blue, agents violet and its neighbours; always with the name in words.
    function actor(actor) {
        if (!actor)
            return dim;
        return actor.person ? person : [agent, all.agent_2, all.agent_3, all.agent_4][actor.hue];
    }

    // `0:41`, `14 min`, `2 h`.
    function age(sinceMs, nowMs) {
        const seconds = Math.max(0, Math.floor((nowMs - sinceMs) / 1000));
        if (seconds < 600)
            return Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
        if (seconds < 7200)
            return Math.floor(seconds / 60) + " min";
        if (seconds < 172800)
            return Math.floor(seconds / 3600) + " h";
        return Math.floor(seconds / 86400) + " days";
    }

    function duration(ms) {
        if (ms < 1000)
            return Math.round(ms) + " ms";
        if (ms < 60000)
            return (ms / 1000).toFixed(1) + " s";
        return age(0, ms);
    }

    function escaped(text) {
        return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
    }

    // Words with `code` in them.
    function prose(words) {
        const whole = words.charAt(0).toUpperCase() + words.slice(1);
        return escaped(whole).replace(/`([^`]+)`/g, "<span style=\"font-family: monospace\">$1</span>");
    }

    // A command with its dangerous parts underlined.
    function marked(spans) {
        const parts = spans.map(span => {
            const text = escaped(span.text);
            return span.danger === "" ? text : "<span style=\"white-space: pre-wrap; color:" + danger + "; text-decoration: underline\">" + text + "</span>";
        });
        return "<span style=\"white-space: pre-wrap\">" + parts.join("") + "</span>";
    }
}
