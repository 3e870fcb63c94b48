#!/usr/bin/env python3
"""An agent of the Agent Client Protocol that does what its prompt says, for tests and for trying things out.

A prompt that is a JSON list is a script: each step says, calls, waits or misbehaves. What calls give is said as
`NAME=JSON` and can be used later as `${NAME.field}`. The prompt `demo` shows everything at once; any other is
echoed. Options choose how the agent introduces itself, or fails to.
"""

import argparse
import hashlib
import json
import os
import re
import sys
import threading
import time

options = argparse.ArgumentParser()
options.add_argument("--auth", action="store_true", help="wants a sign-in before the first session")
options.add_argument("--no-load", action="store_true", help="can't take a session up again")
options.add_argument("--late-replay", action="store_true", help="answers session/load first, and then tells the session again")
options.add_argument("--early", action="store_true", help="tells of a session before its name is answered")
options.add_argument("--resume", action="store_true", help="takes a session up without telling it again")
options.add_argument("--abilities", action="store_true", help="lists and deletes sessions, signs out, takes more folders")
options.add_argument("--login", action="store_true", help="signs in, as it does in a terminal, and ends")
options.add_argument("--terminal-auth", action="store_true", help="wants a sign-in in a terminal")
options.add_argument("--silent", action="store_true", help="never answers")
options.add_argument("--chatter", action="store_true", help="prints lines that are no messages")
options.add_argument("--version-two", action="store_true", help="speaks another version")
options.add_argument("--crash", action="store_true", help="ends at once, with words on stderr")
options.add_argument("--name", default="script-agent")
options.add_argument("--hold-mode", help="sets a mode once this file is there, and does nothing else before")
options.add_argument("--record", help="a file to which every message from the client is appended")
args = options.parse_args()

out_lock = threading.Lock()
answers, answered = {}, threading.Condition()
cancelled = {}
# Requests of whose answers only the length and the digest are kept, and a file until which nothing is read.
digested = set()
deaf_until = None
names = {}
last_id = 0
state = os.environ.get("SCRIPT_AGENT_STATE")
key = os.path.join(state or "", "signed-in")
signed_in = not args.auth if not args.terminal_auth else os.path.exists(key)
deleted = []


def write(text):
    with out_lock:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}))


def begin(method, params):
    global last_id
    with answered:
        last_id += 1
        number = last_id
    send({"id": number, "method": method, "params": params})
    return number


def wait(number):
    with answered:
        answered.wait_for(lambda: number in answers)
        return answers.pop(number)


class Turn:
    """One prompt of one session."""

    def __init__(self, session):
        self.session = session
        self.values = {}
        self.open = {}

    def update(self, session=None, **update):
        send({"method": "session/update", "params": {"sessionId": session or self.session, "update": update}})

    def say(self, text, kind="agent_message_chunk"):
        self.update(sessionUpdate=kind, content={"type": "text", "text": text})

    def fill(self, value):
        if isinstance(value, dict):
            return {key: self.fill(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.fill(inner) for inner in value]
        if not isinstance(value, str):
            return value

        def of(match):
            found = self.values
            for part in match.group(1).split("."):
                found = found[part]
            return found if isinstance(found, str) else json.dumps(found)

        return re.sub(r"\$\{([\w.]+)\}", of, value)

    def settle(self, name, answer):
        value = answer.get("result", {"error": answer.get("error")})
        self.values[name] = value
        self.say(f"{name}={json.dumps(value)}\n")

    def call(self, method, params, name):
        self.settle(name, wait(begin(method, self.full(params))))

    def full(self, params):
        """Parameters as the session's own, unless they say otherwise or are a list."""
        params = self.fill(params)
        return {"sessionId": self.session, **params} if isinstance(params, dict) else params

    def step(self, step):
        if "say" in step:
            self.say(self.fill(step["say"]))
        elif "think" in step:
            self.say(step["think"], "agent_thought_chunk")
        elif "update" in step:
            self.update(step.get("session"), **self.fill(step["update"]))
        elif "call" in step:
            self.call(step["call"], step.get("params", {}), step.get("as", "it"))
        elif "begin" in step:
            self.open[step["as"]] = begin(step["begin"], self.full(step.get("params", {})))
        elif "burst" in step:
            params = self.full(step["params"])
            if "padding" in step:
                params["_meta"] = {"padding": "x" * step["padding"]}
            global deaf_until
            deaf_until = step.get("deaf_until")
            self.open[step["as"]] = [begin(step["method"], params) for _ in range(step["burst"])]
            if deaf_until:
                digested.update(self.open[step["as"]])
        elif "gather" in step:
            self.gather(step["gather"])
        elif "measure" in step:
            told = wait(begin(step["measure"], self.full(step["params"])))["result"]
            text = told["output"]
            ending = text[text.rindex("\n", 0, -1) + 1:]
            measured = {"bytes": len(text.encode()), "truncated": told["truncated"], "ending": ending}
            self.settle(step["as"], {"result": measured})
        elif "notify" in step:
            send({"method": step["notify"], "params": self.fill(step["params"])})
        elif "await" in step:
            self.settle(step["await"], wait(self.open.pop(step["await"])))
        elif "take_back" in step:
            send({"method": "$/cancel_request", "params": {"requestId": self.open[step["take_back"]]}})
        elif "many" in step:
            self.many(step["many"], step["each"])
        elif "raw" in step:
            write(step["raw"])
        elif "stderr" in step:
            print(step["stderr"], file=sys.stderr, flush=True)
        elif "sleep" in step:
            time.sleep(step["sleep"])
        elif "until_file" in step:
            while not os.path.exists(self.fill(step["until_file"])):
                time.sleep(0.01)
        elif "until_cancelled" in step:
            cancelled[self.session].wait()
        elif "flood" in step:
            for number in range(step["flood"]):
                self.say(f"{step.get('text', 'word')} {number}\n")
        elif "exit" in step:
            sys.stdout.flush()
            os._exit(step["exit"])
        else:
            raise ValueError(f"no such step: {step}")

    def gather(self, name):
        """How the requests of a burst were answered: how many, by the code of the error."""
        counts = {}
        for number in self.open.pop(name):
            answer = wait(number)
            code = str(answer.get("measured") or answer.get("error", {}).get("code", "ok"))
            counts[code] = counts.get(code, 0) + 1
        self.settle(name, {"result": counts})

    def many(self, count, each):
        """The same steps so many times at once, with `${n}` for the number."""

        def one(number):
            turn = Turn(self.session)
            turn.values = {**self.values, "n": str(number)}
            turn.say = lambda text, kind="agent_message_chunk": None
            for step in each:
                turn.step(step)
            results[number] = turn.values

        results = {}
        threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.values["many"] = results
        self.say(f"many={json.dumps([results.get(n) for n in range(count)])}\n")

    def demo(self):
        self.say("Let me look around first. ", "agent_thought_chunk")
        steps = [("Look at the folder", "completed"), ("Change a file", "in_progress"), ("Run the tests", "pending")]
        plan = [{"content": text, "priority": "medium", "status": status} for text, status in steps]
        self.update(sessionUpdate="plan", entries=plan)
        self.say("I run a **command** in a real terminal.\n")
        line = "for i in 1 2 3 4 5; do echo line $i; sleep 0.3; done"
        made = wait(begin("terminal/create", {"sessionId": self.session, "command": line}))["result"]
        self.update(sessionUpdate="tool_call", toolCallId="demo-1", title=line, kind="execute", status="in_progress",
                    content=[{"type": "terminal", "terminalId": made["terminalId"]}])
        which = {"sessionId": self.session, "terminalId": made["terminalId"]}
        exit_status = wait(begin("terminal/wait_for_exit", which))["result"]
        output = wait(begin("terminal/output", which))["result"]["output"]
        wait(begin("terminal/release", which))
        self.update(sessionUpdate="tool_call_update", toolCallId="demo-1", status="completed",
                    rawOutput={"output": output, **exit_status})
        change = {"type": "diff", "path": os.path.join(os.getcwd(), "demo.txt"), "oldText": "one\ntwo\n", "newText": "one\nthree\n"}
        self.update(sessionUpdate="tool_call", toolCallId="demo-2", title="Edit demo.txt", kind="edit",
                    status="pending", content=[change], locations=[{"path": change["path"], "line": 2}])
        choices = [("yes", "Allow", "allow_once"), ("always", "Always allow", "allow_always"), ("no", "Reject", "reject_once")]
        asked = wait(begin("session/request_permission", {
            "sessionId": self.session,
            "toolCall": {"toolCallId": "demo-2", "title": "Edit demo.txt", "kind": "edit", "content": [change]},
            "options": [{"optionId": id, "name": name, "kind": kind} for id, name, kind in choices],
        }))
        outcome = asked.get("result", {}).get("outcome", {})
        if outcome.get("optionId") in ("yes", "always"):
            wait(begin("fs/write_text_file", {"sessionId": self.session, "path": change["path"], "content": change["newText"]}))
        status = "completed" if outcome.get("optionId") in ("yes", "always") else "failed"
        self.update(sessionUpdate="tool_call_update", toolCallId="demo-2", status=status)
        own = {"sessionUpdate": "tool_call", "toolCallId": "demo-3", "title": "echo from the agent's own shell",
               "kind": "execute", "status": "in_progress", "content": [{"type": "terminal", "terminalId": "own-1"}],
               "_meta": {"terminal_info": {"terminal_id": "own-1"}}}
        self.update(**own)
        for word in ("\x1b[32mown", " output\x1b[0m\r\n"):
            self.update(sessionUpdate="tool_call_update", toolCallId="demo-3",
                        _meta={"terminal_output": {"terminal_id": "own-1", "data": word}})
        self.update(sessionUpdate="tool_call_update", toolCallId="demo-3", status="completed",
                    _meta={"terminal_exit": {"terminal_id": "own-1", "exit_code": 0, "signal": None}})
        self.update(sessionUpdate="plan", entries=[{**entry, "status": "completed"} for entry in plan])
        self.update(sessionUpdate="usage_update", used=1200, size=200000, cost={"amount": 0.02, "currency": "USD"})
        self.say(f"That was all: the command ended with {exit_status['exitCode']}, and you said {outcome.get('optionId', 'nothing')}.\n")


def prompt(number, params):
    session = params["sessionId"]
    text = "".join(block.get("text", "") for block in params["prompt"] if block["type"] == "text")
    stop = {"stopReason": "end_turn"}
    turn = Turn(session)
    try:
        if text.strip().startswith("["):
            for step in json.loads(text):
                if "stop" in step:
                    stop["stopReason"] = step["stop"]
                elif "fail" in step:
                    send({"id": number, "error": {"code": -32603, "message": step["fail"]}})
                    return
                elif "usage" in step:
                    stop["usage"] = step["usage"]
                else:
                    turn.step(step)
        elif text.strip() == "demo":
            turn.demo()
        else:
            others = [block for block in params["prompt"] if block["type"] != "text"]
            turn.say(f"You said: {text}" + "".join(f"\n{json.dumps(block)}" for block in others))
    except Exception as error:
        send({"id": number, "error": {"code": -32603, "message": f"{type(error).__name__}: {error}"}})
        return
    if cancelled[session].is_set():
        stop["stopReason"] = "cancelled"
    save(session, text)
    send({"id": number, "result": stop})


def save(session, text):
    if state:
        with open(os.path.join(state, session), "a", encoding="utf-8") as file:
            file.write(json.dumps(text) + "\n")


def opened(session):
    cancelled[session] = threading.Event()
    modes = [{"id": "ask", "name": "Ask", "description": "Asks first"}, {"id": "code", "name": "Code"}]
    models = [{"value": "small", "name": "Small"}, {"value": "large", "name": "Large"}]
    names.setdefault(session, {"mode": "ask", "model": "small"})
    return {
        "modes": {"currentModeId": names[session]["mode"], "availableModes": modes},
        "configOptions": [{"id": "model", "name": "Model", "category": "model", "type": "select",
                           "currentValue": names[session]["model"], "options": models}],
    }


def handle(message):
    global signed_in
    method, params, number = message.get("method"), message.get("params") or {}, message.get("id")
    if method is None:
        if number in digested and "result" in message:
            text = message["result"]["output"].encode()
            message = {"measured": f"{len(text)} {hashlib.md5(text).hexdigest()}"}
        with answered:
            answers[number] = message
            answered.notify_all()
        return
    if args.silent:
        return
    result = {}
    if method == "initialize":
        capabilities = {"loadSession": not args.no_load, "promptCapabilities": {"image": True, "embeddedContext": True},
                        "sessionCapabilities": {"resume": {}} if args.resume else {}}
        methods = [{"id": "key", "name": "A key", "description": "Says yes"}] if args.auth else []
        if args.abilities:
            capabilities["sessionCapabilities"].update(list={}, delete={}, additionalDirectories={})
            capabilities.update(auth={"logout": {}}, mcpCapabilities={"http": True})
        if args.terminal_auth and params["clientCapabilities"].get("auth", {}).get("terminal"):
            methods.append({"id": "login", "name": "Log in", "type": "terminal", "args": ["--login"], "env": {"LOGIN_AS": "anna"}})
        result = {"protocolVersion": 2 if args.version_two else 1, "agentCapabilities": capabilities,
                  "agentInfo": {"name": args.name, "title": "Script agent", "version": "1.0"},
                  "authMethods": methods}
    elif method == "authenticate":
        signed_in = True
    elif method == "session/new":
        if not signed_in:
            send({"id": number, "error": {"code": -32000, "message": "Authentication required"}})
            return
        session = f"s{os.getpid()}-{time.time_ns()}"
        if args.early:
            Turn(session).say("before its name\n")
            Turn("sess_of_nobody").say("of another session\n")
        result = {"sessionId": session, **opened(session)}
    elif method in ("session/load", "session/resume"):
        session = params["sessionId"]
        file = os.path.join(state or "", session)
        if not state or not os.path.exists(file):
            send({"id": number, "error": {"code": -32002, "message": f"no session {session}"}})
            return
        result = opened(session)
        if args.late_replay and method == "session/load":
            send({"id": number, "result": result})
            number = None
        if method == "session/load":
            with open(file, encoding="utf-8") as lines:
                for line in lines:
                    turn = Turn(session)
                    turn.say(json.loads(line), "user_message_chunk")
                    turn.say("(as before)")
    elif method == "session/list" and args.abilities:
        # Five of them, two on a page, behind cursors that are nobody's business.
        known = [f"old-{n}" for n in range(5) if f"old-{n}" not in deleted]
        start = int(params["cursor"].removeprefix("opaque-")) if "cursor" in params else 0
        page = [{"sessionId": one, "cwd": params.get("cwd", "/elsewhere"), "title": f"About {one}", "updatedAt": "2026-01-02T03:04:05Z",
                 "additionalDirectories": ["/more"]} for one in known[start:start + 2]]
        result = {"sessions": page, **({"nextCursor": f"opaque-{start + 2}"} if start + 2 < len(known) else {})}
    elif method == "session/delete" and args.abilities:
        deleted.append(params["sessionId"])
    elif method == "logout" and args.abilities:
        signed_in = False
    elif method == "session/prompt" and args.terminal_auth and not os.path.exists(key):
        send({"id": number, "error": {"code": -32000, "message": "Authentication required"}})
        return
    elif method == "session/prompt":
        cancelled[params["sessionId"]].clear()
        threading.Thread(target=prompt, args=(number, params), daemon=True).start()
        return
    elif method == "session/cancel":
        cancelled[params["sessionId"]].set()
        return
    elif method == "session/set_mode":
        while args.hold_mode and not os.path.exists(args.hold_mode):
            time.sleep(0.01)
        names[params["sessionId"]]["mode"] = params["modeId"]
    elif method == "session/set_config_option":
        names[params["sessionId"]]["model"] = params["value"]
        result = {"configOptions": opened(params["sessionId"])["configOptions"]}
    elif number is not None:
        send({"id": number, "error": {"code": -32601, "message": f"no method {method}"}})
        return
    if args.chatter:
        write("this line is no message")
        write("{not json")
    if number is not None:
        send({"id": number, "result": result})
    if method in ("session/new", "session/load", "session/resume"):
        commands = [{"name": "demo", "description": "Shows everything"}]
        Turn(params.get("sessionId") or result["sessionId"]).update(sessionUpdate="available_commands_update", availableCommands=commands)


if args.login:
    answer = input("The word: ")
    if answer != "please" or os.environ.get("LOGIN_AS") != "anna":
        sys.exit(3)
    open(key, "w").close()
    print("signed in")
    sys.exit(0)
if args.crash:
    print("cannot start: the key is missing", file=sys.stderr)
    sys.exit(7)
for line in sys.stdin:
    if args.record:
        with open(args.record, "a", encoding="utf-8") as record:
            record.write(line)
    while deaf_until and not os.path.exists(deaf_until):
        time.sleep(0.01)
    handle(json.loads(line))
