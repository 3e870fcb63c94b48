#!/usr/bin/env python3
"""A model that is none: an endpoint as OpenAI's chat completions and Anthropic's messages have it, on the loopback.

It asks once for the tool that runs shell commands, with the line that it was started with, and then says what the tool gave.
Prints its port first. What it is asked goes to the file that is named second.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LINE = sys.argv[1]
RECORD = sys.argv[2] if len(sys.argv) > 2 else None
SHELLS = ("bash", "shell", "run_shell_command", "terminal", "execute", "execute_command")


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer({"object": "list", "data": [{"id": "fake", "object": "model"}]})

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if RECORD:
            with open(RECORD, "a", encoding="utf-8") as record:
                record.write(json.dumps({"path": self.path, **asked}) + "\n")
        if "/messages" in self.path:
            self.messages(asked)
            return
        gave = [message for message in asked.get("messages", []) if message.get("role") == "tool"]
        tools = [tool["function"] for tool in asked.get("tools", []) if tool.get("type") == "function"]
        shell = next((tool for tool in tools if tool["name"].lower() in SHELLS), None)
        if gave or shell is None:
            text = f"The tool gave: {gave[-1]['content']}" if gave else "There is no shell."
            delta, reason = {"role": "assistant", "content": text if isinstance(text, str) else json.dumps(text)}, "stop"
        else:
            arguments = json.dumps({"command": LINE, "description": "runs it", "timeout": 60})
            call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": shell["name"], "arguments": arguments}}
            delta, reason = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        head = {"id": "fake", "object": "chat.completion.chunk", "created": 0, "model": asked.get("model", "fake")}
        if not asked.get("stream"):
            message = {key: value for key, value in delta.items()}
            self.answer({**head, "object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": reason}], "usage": usage})
            return
        chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                  {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
                  {"choices": [], "usage": usage}]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for chunk in chunks:
            self.wfile.write(f"data: {json.dumps({**head, **chunk})}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def messages(self, asked):
        """The same, in the form of Anthropic."""
        if "count_tokens" in self.path:
            self.answer({"input_tokens": 10})
            return
        parts = [part for message in asked.get("messages", []) if isinstance(message.get("content"), list) for part in message["content"]]
        gave = [part for part in parts if part.get("type") == "tool_result"]
        shell = next((tool for tool in asked.get("tools", []) if tool["name"].lower() in SHELLS), None)
        if gave or shell is None:
            content = gave[-1].get("content") if gave else "There is no shell."
            text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content or [])
            block, delta, reason = {"type": "text", "text": ""}, {"type": "text_delta", "text": f"The tool gave: {text}"}, "end_turn"
        else:
            block = {"type": "tool_use", "id": "toolu_1", "name": shell["name"], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps({"command": LINE, "description": "runs it"})}
            reason = "tool_use"
        usage = {"input_tokens": 10, "output_tokens": 5}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": asked.get("model", "fake"), "content": [],
                   "stop_reason": None, "stop_sequence": None, "usage": usage}
        if not asked.get("stream"):
            whole = {**block, "text": delta.get("text", "")} if block["type"] == "text" else {**block, "input": {"command": LINE}}
            self.answer({**message, "content": [whole], "stop_reason": reason})
            return
        events = [("message_start", {"message": message}), ("content_block_start", {"index": 0, "content_block": block}),
                  ("content_block_delta", {"index": 0, "delta": delta}), ("content_block_stop", {"index": 0}),
                  ("message_delta", {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}), ("message_stop", {})]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, event in events:
            self.wfile.write(f"event: {name}\ndata: {json.dumps({'type': name, **event})}\n\n".encode())
        self.close_connection = True


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
print(server.server_address[1], flush=True)
server.serve_forever()
