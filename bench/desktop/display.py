"""A display seen from outside, the same way for every program: when its window comes, and when its pixels change."""

import select
import time

from Xlib import X, XK
from Xlib import display as xlib
from Xlib.ext import damage, xtest


class Display:
    def __init__(self, name):
        self.x = xlib.Display(name)
        self.root = self.x.screen().root
        self.x.damage_query_version()
        self.root.change_attributes(event_mask=X.SubstructureNotifyMask)
        self.x.sync()

    def event(self, limit):
        """The next event, or None when there is none for that long."""
        end = time.perf_counter() + limit
        while not self.x.pending_events():
            left = end - time.perf_counter()
            if left <= 0 or not select.select([self.x], [], [], left)[0]:
                return None
        return self.x.next_event()

    def forget(self):
        """Lets go of what has come until now."""
        self.x.sync()
        while self.x.pending_events():
            self.x.next_event()

    def mapped(self, limit=30):
        """Waits until a window comes that is as large as one, and gives it."""
        end = time.perf_counter() + limit
        while time.perf_counter() < end:
            event = self.event(end - time.perf_counter())
            if event is not None and event.type == X.MapNotify and event.window.get_geometry().width > 100:
                return event.window
        raise SystemExit("no window came")

    def focus(self, window):
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.x.sync()

    def changed(self, window):
        """Waits until something is painted into the window."""
        seen = window.damage_create(damage.DamageReportNonEmpty)
        if self.change(10) is None:
            raise SystemExit("nothing was painted")

    def echoes(self, window, letters):
        """Types the letters one by one, and gives the milliseconds from each until the window's pixels change."""
        code = {letter: self.x.keysym_to_keycode(XK.string_to_keysym(letter)) for letter in set(letters)}
        seen = window.damage_create(damage.DamageReportNonEmpty)
        times = []
        for letter in letters:
            self.rest(seen)
            start = time.perf_counter()
            xtest.fake_input(self.x, X.KeyPress, code[letter])
            xtest.fake_input(self.x, X.KeyRelease, code[letter])
            self.x.sync()
            if self.change(5) is None:
                raise SystemExit(f"nothing changed when {letter!r} was typed")
            times.append(1000 * (time.perf_counter() - start))
        return times

    def rest(self, seen, quiet=0.1):
        """Waits until the pixels have not changed for a while."""
        while True:
            self.x.damage_subtract(seen, X.NONE, X.NONE)
            self.x.sync()
            if self.change(quiet) is None:
                return

    def change(self, limit):
        end = time.perf_counter() + limit
        while (left := end - time.perf_counter()) > 0:
            event = self.event(left)
            if event is not None and event.type == self.x.extension_event.DamageNotify:
                return event
        return None
