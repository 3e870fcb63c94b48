"""The Python SDK (`mcp`): without a handshake (auto), or the older one (legacy).

    sdk_python.py [--mode legacy|auto] [--terminal ID] --url URL [--token-file FILE]
    sdk_python.py [--mode legacy|auto] [--terminal ID] -- COMMAND ARGUMENT...

The checks are those of checks.mjs, in the words of this SDK. It checks every result against the tool's output schema.
"""

import argparse
import json
import os
import sys
import tempfile
import time
import traceback
import warnings
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

RUN, READ, LIST, SCREEN = (f"flightdeck.terminal.{name}" for name in ("run", "read", "list", "screen"))
VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
# How long one check may take. What it waits for takes a second or two.
DEADLINE = 20
failed = []


class Report:
    """One line of JSON for each check."""

    def __init__(self, name):
        self.line = {"check": name, "ok": True}

    @asynccontextmanager
    async def within(self, seconds):
        started = time.monotonic()
        try:
            with anyio.fail_after(seconds):
                yield self
        except Exception as error:
            failed.append(self.line["check"])
            self.line |= {"ok": False, "error": "".join(traceback.format_exception(error))}
        self.line["ms"] = round((time.monotonic() - started) * 1000)
        print(json.dumps(self.line), flush=True)

    def tell(self, detail):
        self.line["detail"] = detail


def check(name, seconds=DEADLINE):
    return Report(name).within(seconds)


async def until(what, look, seconds=DEADLINE - 2):
    """Looks until there is something."""
    end = time.monotonic() + seconds
    while not (found := await look()):
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds} s: {what}")
        await anyio.sleep(0.02)
    return found


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def pages(listing, field):
    """Follows cursors to the last page."""
    everything, cursor = [], None
    while True:
        page = await listing(cursor=cursor)
        everything += getattr(page, field)
        if (cursor := page.next_cursor) is None:
            return everything


class Checks:
    def __init__(self, client, options, updates, folder):
        self.client, self.mode, self.terminal = client, options.mode, options.terminal
        self.screen, self.updates, self.folder = f"terminal://{options.terminal}/screen", updates, folder

    async def call(self, name, arguments, progress=None):
        """Calls a tool and checks what holds for every result: the text is the same JSON."""
        result = await self.client.call_tool(name, arguments, progress_callback=progress)
        assert result.content[0].type == "text", result
        assert json.loads(result.content[0].text) == result.structured_content, f"the text is the same JSON: {result}"
        return result

    async def ran(self, command, progress=None, **arguments):
        result = await self.call(RUN, {"command": command, **arguments}, progress)
        assert not result.is_error, f"the call itself worked: {result}"
        assert result.structured_content["success"] is True, result
        return result.structured_content

    async def terminals(self):
        return (await self.call(LIST, {"all": True})).structured_content["data"]["terminals"]

    async def everything(self):
        client = self.client
        async with check("version") as report:
            assert client.protocol_version == VERSIONS[self.mode], client.protocol_version
            report.tell(client.protocol_version)

        async with check("tools") as report:
            tools = await pages(client.list_tools, "tools")
            names = [tool.name for tool in tools]
            assert {RUN, READ, LIST} <= set(names), names
            assert len(set(names)) == len(names), "every name is there once"
            for tool in tools:
                assert tool.description and tool.annotations, tool.name
                # What may be a picture promises no structured content.
                schemas = (tool.input_schema,) if tool.name == SCREEN else (tool.input_schema, tool.output_schema)
                for schema in schemas:
                    assert schema and schema["type"] == "object", tool.name
                    Draft202012Validator.check_schema(schema)
            report.tell(len(names))

        async with check("run"):
            ran = await self.ran("echo hi")
            assert "hi" in ran["output"] and ran["data"]["exitCode"] == 0, ran

        async with check("exit code"):
            ran = await self.ran("exit 3")
            assert ran["data"]["exitCode"] == 3, ran

        async with check("error"):
            result = await self.call(READ, {"id": "t999"})
            assert result.is_error, result
            assert result.structured_content["success"] is False, result
            assert result.structured_content["code"] == "terminal_not_found", result

        async with check("picture"):
            result = await client.call_tool(SCREEN, {"id": self.terminal, "image": True})
            assert not result.is_error and [part.type for part in result.content[:2]] == ["text", "image"], result
            assert json.loads(result.content[0].text)["success"] and result.structured_content is None, result

        async with check("progress") as report:
            # The command ends when progress was reported, so a report that comes with the result is too late.
            gate, reports = self.folder / "gate", []

            async def progress(done, total, message):
                reports.append(done)
                gate.touch()

            ran = await self.ran(f"until [ -e '{gate}' ]; do sleep 0.05; done; echo through", progress)
            assert "through" in ran["output"], ran
            assert reports == sorted(set(reports)), f"progress grows: {reports}"
            report.tell(reports)

        async with check("cancel"):
            await self.cancel()

        async with check("after a cancelled call"):
            assert "still here" in (await self.ran("echo still here"))["output"]

        async with check("resources"):
            resources = {resource.uri: resource for resource in await pages(client.list_resources, "resources")}
            assert self.screen in resources and resources[self.screen].name, resources
            [content] = (await client.read_resource(self.screen)).contents
            assert content.uri == self.screen and isinstance(content.text, str) and content.mime_type, content

        async with check("unknown resource"):
            try:
                got = await client.read_resource("terminal://t999/screen")
            except MCPError as error:
                assert error.code in (-32602, -32002), error
            else:
                raise AssertionError(f"an error, not {got}")

        async with check("subscription") as report:
            if self.mode == "auto":
                async with client.listen(resource_subscriptions=[self.screen]) as subscription:
                    await self.print_mark()
                    event = await anext(subscription)
                    assert event.uri == self.screen, event
            else:
                with warnings.catch_warnings(action="ignore"):
                    await client.subscribe_resource(self.screen)
                    await self.print_mark()

                    async def updated():
                        return self.screen in self.updates

                    await until("an update", updated)
                    await client.unsubscribe_resource(self.screen)

        async with check("prompts") as report:
            prompts = await pages(client.list_prompts, "prompts")
            assert prompts
            for prompt in prompts:
                assert prompt.description, prompt.name
                required = [argument.name for argument in prompt.arguments or [] if argument.required]
                chosen = {name: self.terminal if name.startswith(("id", "terminal")) else "true" for name in required}
                assert (await client.get_prompt(prompt.name, chosen)).messages, prompt.name
            report.tell([prompt.name for prompt in prompts])

    async def cancel(self):
        file = self.folder / "pid"
        before = [one["id"] for one in await self.terminals()]

        async def started():
            text = file.read_text() if file.exists() else ""
            return text.endswith("\n") and int(text)

        async def listed():
            return next((one for one in await self.terminals() if one["running"] and one["id"] not in before), None)

        async with anyio.create_task_group() as calls:
            calls.start_soon(self.client.call_tool, RUN, {"command": f"echo $$ >'{file}'; exec sleep 300"})
            pid = await until("the command has started", started)
            terminal = (await until("it is listed", listed))["id"]
            calls.cancel_scope.cancel()

        async def gone():
            return not is_alive(pid)

        async def stopped():
            return not any(one["id"] == terminal and one["running"] for one in await self.terminals())

        await until(f"{pid} is gone", gone)
        await until(f"{terminal} is not running", stopped)

    async def print_mark(self):
        """Prints something into the terminal and waits until it is on the screen."""
        first, second = "mark-", str(time.time_ns())
        # In two parts, so that the screen shows the mark when it was printed and not when it was typed.
        ran = await self.ran(f"printf '%s%s\\n' '{first}' '{second}'", id=self.terminal)
        assert ran["data"]["exitCode"] == 0, ran

        async def shown():
            return first + second in (await self.client.read_resource(self.screen)).contents[0].text

        await until("the mark on the screen", shown)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=VERSIONS, default="legacy")
    parser.add_argument("--terminal", default="t1")
    parser.add_argument("--url")
    parser.add_argument("--token-file", type=Path)
    parser.add_argument("command", nargs="*")
    options = parser.parse_args()
    if options.url:
        token = options.token_file and options.token_file.read_text().strip()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        http = httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(DEADLINE, read=None))
        server = streamable_http_client(options.url, http_client=http)
    else:
        server = StdioServerParameters(command=options.command[0], args=options.command[1:], env=dict(os.environ))

    updates = []

    async def noticed(message):
        if getattr(message, "method", "") == "notifications/resources/updated":
            updates.append(message.params.uri)

    with tempfile.TemporaryDirectory(prefix="fd-client-") as folder:
        async with check("connect and close", seconds=4 * DEADLINE):
            async with Client(server, mode=options.mode, message_handler=noticed) as client:
                await Checks(client, options, updates, Path(folder)).everything()
    if failed:
        sys.exit(1)
    print("OK")


anyio.run(main)
