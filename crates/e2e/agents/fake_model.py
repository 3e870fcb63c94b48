#!/usr/bin/env python3
"""A model that is none, on the loopback, as four makers have it: OpenAI's chat completions and responses, Anthropic's messages,
Google's generateContent.

It asks once for the tool that runs shell commands, with the line that it was started with, and then says what the tool gave.
Prints its port first. What it is asked goes to the file that is named second.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LINE = sys.argv[1]
RECORD = sys.argv[2] if len(sys.argv) > 2 else None
SHELLS = ("bash", "shell", "shell_command", "exec_command", "run_shell_command", "terminal", "execute", "execute_command")


def shell_among(tools):
    """The tool that runs shell commands, of tools with a `name`."""
    return next((tool for tool in tools if tool.get("name", "").lower() in SHELLS), None)


def arguments_for(schema):
    """What such a tool is given, by its own schema."""
    properties = (schema or {}).get("properties", {})
    name = "cmd" if "cmd" in properties and "command" not in properties else "command"
    words = properties.get(name, {}).get("type") == "array"
    given = {name: ["bash", "-lc", LINE] if words else LINE}
    if "description" in properties:
        given["description"] = "runs it"
    return given


def text_of(content):
    """The words of what a tool gave."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return json.dumps(content)


class Answer:
    """What the model says: a call of a tool, or words."""

    def __init__(self, shell, gave, schema=None):
        self.text = f"The tool gave: {text_of(gave)}" if gave is not None else "There is no shell."
        self.call = shell and gave is None and (shell["name"], arguments_for(schema))


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer({"object": "list", "data": [{"id": "fake", "object": "model"}], "models": []})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if RECORD:
            with open(RECORD, "a", encoding="utf-8") as record:
                record.write(json.dumps({"path": self.path, **asked}) + "\n")
        path = self.path.split("?")[0]
        if "countTokens" in path or "count_tokens" in path:
            self.answer({"input_tokens": 10, "totalTokens": 10})
        elif "/messages" in path:
            self.as_messages(asked)
        elif path.endswith("/responses"):
            self.as_responses(asked)
        elif "enerateContent" in path:
            self.as_contents(asked, stream="streamGenerateContent" in path)
        else:
            self.as_completions(asked)

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def tell(self, events, last=b""):
        """Events as they stream: each with its name, or none."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, event in events:
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {json.dumps(event)}\n\n".encode())
        self.wfile.write(last)
        self.close_connection = True

    def as_completions(self, asked):
        gave = [message["content"] for message in asked.get("messages", []) if message.get("role") == "tool"]
        shell = shell_among([tool["function"] for tool in asked.get("tools", []) if tool.get("type") == "function"])
        model = Answer(shell, gave[-1] if gave else None, shell and shell.get("parameters"))
        delta, reason = {"role": "assistant", "content": model.text}, "stop"
        if model.call:
            name, arguments = model.call
            call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            delta, reason = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        head = {"id": "fake", "object": "chat.completion.chunk", "created": 0, "model": asked.get("model", "fake")}
        if not asked.get("stream"):
            self.answer({**head, "object": "chat.completion", "choices": [{"index": 0, "message": delta, "finish_reason": reason}], "usage": usage})
            return
        chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                  {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
                  {"choices": [], "usage": usage}]
        self.tell([(None, {**head, **chunk}) for chunk in chunks], b"data: [DONE]\n\n")

    def as_messages(self, asked):
        parts = [part for message in asked.get("messages", []) if isinstance(message.get("content"), list) for part in message["content"]]
        gave = [part.get("content") or "" for part in parts if part.get("type") == "tool_result"]
        shell = shell_among(asked.get("tools", []))
        model = Answer(shell, gave[-1] if gave else None, shell and shell.get("input_schema"))
        block, delta, reason = {"type": "text", "text": ""}, {"type": "text_delta", "text": model.text}, "end_turn"
        whole = {"type": "text", "text": model.text}
        if model.call:
            name, arguments = model.call
            block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}
            whole = {**block, "input": arguments}
            delta, reason = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}, "tool_use"
        usage = {"input_tokens": 10, "output_tokens": 5}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": asked.get("model", "fake"), "content": [],
                   "stop_reason": None, "stop_sequence": None, "usage": usage}
        if not asked.get("stream"):
            self.answer({**message, "content": [whole], "stop_reason": reason})
            return
        events = [("message_start", {"message": message}), ("content_block_start", {"index": 0, "content_block": block}),
                  ("content_block_delta", {"index": 0, "delta": delta}), ("content_block_stop", {"index": 0}),
                  ("message_delta", {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}), ("message_stop", {})]
        self.tell([(name, {"type": name, **event}) for name, event in events])

    def as_responses(self, asked):
        items = asked.get("input", [])
        gave = [item.get("output") for item in items if isinstance(item, dict) and item.get("type", "").endswith("_call_output")]
        shell = shell_among(asked.get("tools", []))
        model = Answer(shell, gave[-1] if gave else None, shell and shell.get("parameters"))
        item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": model.text, "annotations": []}]}
        if model.call:
            name, arguments = model.call
            item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name, "arguments": json.dumps(arguments), "status": "completed"}
        usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15}
        response = {"id": "resp_1", "object": "response", "created_at": 0, "model": asked.get("model", "fake"), "status": "completed",
                    "output": [item], "usage": usage}
        if not asked.get("stream"):
            self.answer(response)
            return
        events = [("response.created", {"response": {**response, "status": "in_progress", "output": [], "usage": None}}),
                  ("response.output_item.added", {"output_index": 0, "item": {**item, "status": "in_progress"}})]
        if not model.call:
            events.append(("response.output_text.delta", {"item_id": "msg_1", "output_index": 0, "content_index": 0, "delta": model.text}))
        events += [("response.output_item.done", {"output_index": 0, "item": item}), ("response.completed", {"response": response})]
        self.tell([(name, {"type": name, **event}) for name, event in events])

    def as_contents(self, asked, stream):
        parts = [part for content in asked.get("contents", []) for part in content.get("parts", [])]
        gave = [part["functionResponse"].get("response") for part in parts if "functionResponse" in part]
        declared = [tool for one in asked.get("tools", []) for tool in one.get("functionDeclarations", [])]
        shell = shell_among(declared)
        model = Answer(shell, gave[-1] if gave else None, shell and (shell.get("parametersJsonSchema") or shell.get("parameters")))
        said = {"text": model.text}
        if model.call:
            name, arguments = model.call
            said = {"functionCall": {"id": "call_1", "name": name, "args": arguments}}
        told = {"candidates": [{"index": 0, "content": {"role": "model", "parts": [said]}, "finishReason": "STOP"}], "modelVersion": "fake",
                "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}}
        if stream:
            self.tell([(None, told)])
        else:
            self.answer(told)


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
print(server.server_address[1], flush=True)
server.serve_forever()
