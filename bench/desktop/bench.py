#!/usr/bin/python3
"""Figures of the desktop window on a display of its own, beside xterm where that does the same: start to the first frame,
CPU when nothing happens, frames and CPU while a terminal floods, and the time from a key to the frame that shows it.

It is Debian's own Python that runs it, since the library for X is a package of Debian."""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from display import Display

BIN = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release")
TICK = os.sysconf("SC_CLK_TCK")
FLOOD = "the quick brown fox jumps over the lazy dog 0123456789"
LETTERS = "abcdefghijklmnopqrstuvwxyz" * 4


class Lines:
    """What a program writes to standard error, with a wait for a line."""

    def __init__(self, stream):
        self.all, self.news = [], threading.Condition()
        threading.Thread(target=self.fill, args=(stream,), daemon=True).start()

    def fill(self, stream):
        for line in stream:
            with self.news:
                self.all.append(line.rstrip("\n"))
                self.news.notify_all()

    def wait(self, pattern, after=0, limit=30):
        end = time.time() + limit
        with self.news:
            at = after
            while True:
                while at < len(self.all):
                    if re.search(pattern, self.all[at]):
                        return at, self.all[at]
                    at += 1
                if not self.news.wait(max(0.0, end - time.time())):
                    sys.exit(f"{pattern!r} did not come; there was\n" + "\n".join(self.all[-20:]))


def cpu(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def share(pid, seconds):
    before, start = cpu(pid), time.time()
    time.sleep(seconds)
    return 100 * (cpu(pid) - before) / (time.time() - start)


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def main():
    display = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    name = ":" + display.stdout.readline().strip()
    folder = tempfile.mkdtemp(prefix="fdb")
    env = dict(os.environ, DISPLAY=name, XDG_RUNTIME_DIR=f"{folder}/r", XDG_STATE_HOME=f"{folder}/s", HOME=f"{folder}/h",
               FLIGHTDECK_WINDOW_LOG="events", SHELL="/bin/bash", USER="bench")
    env.pop("FLIGHTDECK_TERMINAL", None)
    for part in ("r", "s", "h", "w"):
        os.makedirs(f"{folder}/{part}", mode=0o700)
    deck = lambda *args: subprocess.run([f"{BIN}/flightdeck", *args], env=env, cwd=f"{folder}/w", check=True,
                                        capture_output=True, text=True).stdout
    tool = lambda *args: subprocess.run(["xdotool", *args], env=env, check=True, capture_output=True, text=True).stdout
    try:
        deck("consent", "--allow")
        deck("new")
        deck("wait", "t1", "--prompt")
        seen = Display(name)
        figures(env, folder, deck, tool, seen)
        beside(env, seen)
    finally:
        subprocess.run([f"{BIN}/flightdeck", "stop", "--all"], env=env, cwd=f"{folder}/w", capture_output=True)
        display.kill()
        display.wait()
        shutil.rmtree(folder, ignore_errors=True)


def spread(times):
    times = sorted(times)
    return f"p50 {times[len(times) // 2]:.1f} ms, p99 {times[int(len(times) * 0.99)]:.1f} ms"


def end(process):
    process.kill()
    process.wait()


def figures(env, folder, deck, tool, seen):
    def window():
        start = time.time()
        process = subprocess.Popen([f"{BIN}/interactive-terminal", "--theme", "dark"], env=env, cwd=f"{folder}/w",
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        lines = Lines(process.stderr)
        lines.wait("first frame")
        return process, lines, 1000 * (time.time() - start)

    starts = []
    for _ in range(5):
        process, lines, took = window()
        starts.append(took)
        end(process)
    print(f"start to first frame of a terminal, median of 5: {statistics.median(starts):.0f} ms")

    seen.forget()
    process, lines, _ = window()
    place = seen.mapped()
    lines.wait("ready")
    found = tool("search", "--sync", "--all", "--onlyvisible", "--pid", str(process.pid), "--name", "Flightdeck").split()[0]
    tool("windowfocus", "--sync", found)
    lines.wait("focus Terminal")
    time.sleep(2)
    print(f"CPU when nothing happens, 20 s: {share(process.pid, 20):.2f} %; resident {resident(process.pid):.0f} MB")

    # The ages of agents are told every second.
    # Whoever holds the pipes of the server is an agent's client, and the window would be below it.
    agent = subprocess.Popen(["sh", "-c", 'cat | "$0" mcp | cat', f"{BIN}/flightdeck"], env=env, cwd=f"{folder}/w", stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
    agent.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
                      '"capabilities":{},"clientInfo":{"name":"codex","version":"1"}}}\n')
    agent.stdin.flush()
    agent.stdout.readline()
    time.sleep(2)
    print(f"the same with an agent that is idle, 20 s: {share(process.pid, 20):.2f} %")
    agent.stdin.close()
    agent.wait()

    after = len(lines.all)
    outside = seen.echoes(place, LETTERS)
    told = [float(line.split()[-1]) for line in lines.all[after:] if "key to frame" in line]
    print(f"key to the frame that shows it, of {len(outside)}: {spread(outside)} seen from outside, {spread(told)} by its own log")
    tool("key", "ctrl+u")

    tool("type", "--delay", "6", f"yes '{FLOOD}'")
    tool("key", "Return")
    time.sleep(2)
    first = frames(lines)
    used, start = cpu(process.pid), time.time()
    time.sleep(10)
    took = time.time() - start
    shown = frames(lines) - first
    print(f"flood: {shown / took:.0f} frames a second at {100 * (cpu(process.pid) - used) / took:.0f} % CPU")
    pressed = time.time()
    tool("key", "ctrl+c")
    while "yes" in deck("ls"):
        if time.time() - pressed > 20:
            sys.exit("Ctrl-C does not end the flood")
        time.sleep(0.02)
    print(f"Ctrl-C ends the flood after {1000 * (time.time() - pressed):.0f} ms")
    end(process)


def beside(env, seen):
    """The same of xterm, with a shell that has no settings."""
    def xterm(*command):
        seen.forget()
        start = time.time()
        process = subprocess.Popen(["xterm", "-geometry", "120x45", "-e", *command], env=env)
        place = seen.mapped()
        seen.changed(place)
        return process, place, 1000 * (time.time() - start)

    starts = []
    for _ in range(5):
        process, _, took = xterm("bash", "--norc")
        starts.append(took)
        end(process)
    print(f"beside it, xterm: start to its first picture, median of 5: {statistics.median(starts):.0f} ms")
    process, place, _ = xterm("bash", "--norc")
    seen.focus(place)
    print(f"key to the picture that shows it, of {len(LETTERS)}: {spread(seen.echoes(place, LETTERS))}")
    end(process)
    process, _, _ = xterm("yes", FLOOD)
    time.sleep(2)
    print(f"flood at {share(process.pid, 10):.0f} % CPU")
    end(process)


def frames(lines):
    counts = [int(line.split()[-1]) for line in list(lines.all) if re.search(r" frames \d+$", line)]
    return counts[-1] if counts else 0


main()
