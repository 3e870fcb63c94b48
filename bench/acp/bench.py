#!/usr/bin/env python3
"""Measures what agents over ACP cost the hub: a hundred terminals at once, a hundred megabytes through one of them, and
thousands of requests that are open at once.

Each is done by a hub of its own with the script agent of the tests. Memory is the most that was resident (VmHWM), of the hub and
of its keeper. Of open requests the time counts until all are open and until all are answered, and how long `flightdeck status`
takes meanwhile: the median and the slowest, as long as requests come in, are open, and are answered.
Usage: bench.py FLIGHTDECK [memory|open]...
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PROGRAM = str(Path(sys.argv[1]).resolve())
AGENT = str(Path(__file__).resolve().parents[2] / "crates/e2e/agents/script_agent.py")


def call(name, method, params):
    return {"call": method, "params": params, "as": name}


def about(method):
    return call(method, f"terminal/{method}", {"terminalId": "${t.terminalId}"})


REST = [about(method) for method in ("wait_for_exit", "output", "release")]
FLOOD = "yes 0123456789abcde | head -c 100000000; echo; echo over"
WORK = {
    "100 terminals at once": [{"many": 100, "each": [call("t", "terminal/create", {"command": "echo number ${n}; sleep 1; exit 7"}), *REST]}],
    "100 MB through one, limit 1 MiB": [{"many": 1, "each": [call("t", "terminal/create", {"command": FLOOD, "outputByteLimit": 1 << 20}), *REST]}],
}


class Hub:
    def __init__(self, folder):
        self.env = {"PATH": os.environ["PATH"], "HOME": str(folder / "h"), "XDG_RUNTIME_DIR": str(folder / "r"), "XDG_STATE_HOME": str(folder / "s"), "LANG": "C.UTF-8"}
        self.root = folder / "w"
        for name in "hrsw":
            (folder / name).mkdir(mode=0o700)

    def cli(self, *words):
        return subprocess.run([PROGRAM, "--workspace", str(self.root), *words], env=self.env, capture_output=True, text=True, check=True).stdout

    def call(self, command, args):
        answer = json.loads(self.cli("call", f"flightdeck.{command}", json.dumps(args)))
        return answer.get("data") or answer

    def until(self, chat, states):
        while True:
            now = self.call("chat.read", {"id": chat, "limit": 1})["chat"]
            if now["state"] in states:
                return now
            time.sleep(0.02)

    def processes(self):
        """The hub, and the keeper, which is the parent of what runs in its terminals."""
        return {"hub": json.loads(self.cli("status", "--json"))["pid"], "keeper": json.loads(self.cli("status", "--json"))["keeperPid"]}


def memory(pid, field):
    return int(re.search(rf"{field}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) / 1024


class Asking:
    """Asks for the state of the hub again and again, as a person would, and keeps how long each answer took."""

    def __init__(self, hub):
        self.hub, self.times, self.over = hub, [], threading.Event()
        self.thread = threading.Thread(target=self.ask)

    def ask(self):
        while not self.over.is_set():
            began = time.monotonic()
            self.hub.cli("status")
            self.times.append(time.monotonic() - began)
            self.over.wait(0.05)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


class Running:
    """A hub with a conversation."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="fdb")

    def __enter__(self):
        self.hub = Hub(Path(self.folder.name))
        self.hub.cli("restart")
        self.chat = self.hub.call("chat.new", {"command": ["python3", AGENT]})["id"]
        self.hub.until(self.chat, ("ready",))
        return self

    def __exit__(self, *_):
        self.hub.cli("stop", "--all")
        self.folder.cleanup()

    def prompt(self, steps):
        self.hub.call("chat.prompt", {"id": self.chat, "content": [{"type": "text", "text": json.dumps(steps)}]})

    def done(self):
        ended = self.hub.until(self.chat, ("done", "failed", "gone"))
        assert ended["state"] == "done", ended


def measure_memory():
    for what, steps in WORK.items():
        with Running() as running:
            pids = running.hub.processes()
            before = {name: memory(pid, "VmRSS") for name, pid in pids.items()}
            began = time.monotonic()
            running.prompt(steps)
            running.done()
            seconds = time.monotonic() - began
            peak = ", ".join(f"{name} {before[name]:.0f} MiB before, {memory(pid, 'VmHWM'):.0f} at most" for name, pid in pids.items())
            print(f"{what:34} {seconds:5.1f} s; {peak}", flush=True)


OPEN = (500, 2_000, 5_000, 10_000)


def measure_open():
    """The time of so many requests, from the prompt until all are answered, by how many there are."""
    each = {}
    for count in OPEN:
        with Running() as running:
            folder = running.hub.root
            opened, go = folder / "opened", folder / "go"
            wait = f"until [ -e {go} ]; do sleep 0.05; done"
            with Asking(running.hub) as asking:
                began = time.monotonic()
                # The command that makes `opened` is started behind all that came before.
                running.prompt([
                    call("t", "terminal/create", {"command": wait}),
                    {"burst": count - 1, "method": "terminal/wait_for_exit", "params": {"terminalId": "${t.terminalId}"}, "as": "waits"},
                    call("mark", "terminal/create", {"command": f"touch {opened}"}),
                    {"gather": "waits"},
                ])
                while not opened.exists():
                    time.sleep(0.005)
                until_open = time.monotonic() - began
                # At least once while all of them are open.
                seen = len(asking.times)
                while len(asking.times) < seen + 2:
                    time.sleep(0.005)
                answering = time.monotonic()
                go.touch()
                running.done()
                until_answered = time.monotonic() - answering
            each[count] = (until_open + until_answered) / count
            median, slowest = statistics.median(asking.times), max(asking.times)
            print(f"{count:6} open requests  {until_open:6.2f} s until open, {until_answered:6.2f} s until answered, "
                  f"{each[count] * 1000:.2f} ms each; status {median * 1000:.0f} ms, at most {slowest * 1000:.0f} ms", flush=True)
    few, many = OPEN[0], OPEN[-1]
    print(f"one of {many} costs {each[many] / each[few]:.2f} times one of {few}")


CASES = {"memory": measure_memory, "open": measure_open}
for case in sys.argv[2:] or CASES:
    CASES[case]()
