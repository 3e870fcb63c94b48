"""Listens as a screen reader does: says that it hears, and prints the whole text once the wanted word was inserted into it."""

import json
import sys
import threading

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

wanted = sys.argv[1]
heard = []


def inserted(event):
    if not heard:
        print("hears", flush=True)
    heard.append(event.any_data)
    if wanted not in "".join(heard):
        return
    text = event.source
    print(json.dumps({
        "name": event.source.get_name(),
        "heard": heard,
        "text": Atspi.Text.get_text(text, 0, -1),
        "cursor": Atspi.Text.get_caret_offset(text),
    }), flush=True)
    Atspi.event_quit()


def give_up():
    print(json.dumps({"heard": heard}), flush=True)
    Atspi.event_quit()


Atspi.init()
listener = Atspi.EventListener.new(inserted)
listener.register("object:text-changed:insert")
print("listens", flush=True)
GLib.timeout_add_seconds(30, give_up)
Atspi.event_main()
