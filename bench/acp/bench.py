#!/usr/bin/env python3
"""Measures what agents over ACP cost the hub: a hundred terminals at once, and a hundred megabytes through one of them.

Each is done by a hub of its own with the script agent of the tests. Memory is the most that was resident (VmHWM), of the hub and
of its keeper. Usage: bench.py FLIGHTDECK
"""

import json
import os
import re
import subprocess
import sys
import tempfile
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


for what, steps in WORK.items():
    with tempfile.TemporaryDirectory(prefix="fdb") as folder:
        hub = Hub(Path(folder))
        hub.cli("restart")
        try:
            chat = hub.call("chat.new", {"command": ["python3", AGENT]})["id"]
            hub.until(chat, ("ready",))
            pids = hub.processes()
            before = {name: memory(pid, "VmRSS") for name, pid in pids.items()}
            began = time.monotonic()
            hub.call("chat.prompt", {"id": chat, "content": [{"type": "text", "text": json.dumps(steps)}]})
            ended = hub.until(chat, ("done", "failed", "gone"))
            seconds = time.monotonic() - began
            assert ended["state"] == "done", ended
            peak = ", ".join(f"{name} {before[name]:.0f} MiB before, {memory(pid, 'VmHWM'):.0f} at most" for name, pid in pids.items())
            print(f"{what:34} {seconds:5.1f} s; {peak}", flush=True)
        finally:
            hub.cli("stop", "--all")
