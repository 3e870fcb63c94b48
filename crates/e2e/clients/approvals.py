"""The Python SDK (`mcp`) as a client whose user is asked whether a dangerous command may run.

    approvals.py [--mode legacy|auto] --folder FOLDER --url URL [--token-file FILE]
    approvals.py [--mode legacy|auto] --folder FOLDER -- COMMAND ARGUMENT...

FOLDER is in the workspace and gets deleted in the end. This SDK puts questions to the same function in both protocols:
those that the server sends, and those that are the answer to a call.
"""

import argparse
import os
from pathlib import Path

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

RUN = "flightdeck.terminal.run"
DEADLINE = 60


async def checks(client, folder, asked, answers):
    call = {"command": f"rm -rf {folder.name}"}

    async def refused(answer, code, words):
        answers.append(answer)
        result = await client.call_tool(RUN, call)
        content = result.structured_content
        assert result.is_error and content["code"] == code and words in str(content["error"]), result
        assert folder.exists(), answer
        assert not answers, "it was asked"

    no = ElicitResult(action="accept", content={"answer": "decline", "reason": "not today"})
    await refused(no, "declined", "not today")
    # Sooner than any person can have read it.
    await refused(ElicitResult(action="decline"), "approval_unavailable", "declined by itself")
    await refused(ElicitResult(action="cancel"), "approval_unavailable", "dismissed the question")
    answers.append(ElicitResult(action="accept", content={"answer": "approve once"}))
    result = await client.call_tool(RUN, call)
    assert not result.is_error and result.structured_content["data"]["exitCode"] == 0, result
    assert not folder.exists()
    assert len(asked) == 4, asked
    for question in asked:
        assert f"> rm -rf {folder.name}\n" in question.message, question
        choices = question.requested_schema["properties"]["answer"]["enum"]
        assert choices == ["decline", "approve once", "approve for this session"], question


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=("legacy", "auto"), default="legacy")
    parser.add_argument("--folder", type=Path, required=True)
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
    asked, answers = [], []

    async def person(context, params):
        asked.append(params)
        return answers.pop(0)

    with anyio.fail_after(DEADLINE):
        async with Client(server, mode=options.mode, elicitation_callback=person) as client:
            await checks(client, options.folder, asked, answers)
    print("OK")


anyio.run(main)
