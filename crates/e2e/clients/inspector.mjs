// The inspector's command line: what a developer points at a server first. It must find nothing to say about our schemas.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { options } from './options.mjs';
import { check, finish } from './report.mjs';

/** Its exit code when a tool reports an error. */
const TOOL_ERROR = 5;

const chosen = options();
const installed = `${process.env.FLIGHTDECK_CLIENTS}/node_modules/@modelcontextprotocol/inspector`;

/** Runs one method and gives what it printed. */
async function inspect(expected, method, ...args) {
    const era = chosen.mode === 'auto' ? 'modern' : 'legacy';
    const given = ['--cli', '--protocol-era', era, '--format', 'json', '--method', method, ...args];
    if (chosen.url) {
        given.push('--transport', 'http', '--server-url', chosen.url.href, '--stored-auth-only');
        for (const [name, value] of Object.entries(chosen.headers)) given.push('--header', `${name}: ${value}`);
    } else {
        // It hands on only what it is told to.
        for (const [name, value] of Object.entries(process.env)) given.push('-e', `${name}=${value}`);
        given.push('--transport', 'stdio', '--', chosen.command, ...chosen.args);
    }
    const program = [`${installed}/clients/launcher/build/index.js`, ...given];
    const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise(resolve => child.on('close', resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    assert.equal(code, expected, `${method} ${args.join(' ')}: exit code ${code}\n${err}\n${out}`);
    return JSON.parse(out);
}

function call(expected, name, args) {
    const given = ['--tool-name', name, '--tool-args-json', JSON.stringify(args)];
    return inspect(expected, 'tools/call', ...given).then(({ result }) => result.structuredContent);
}

await check('tools, strictly', async () => {
    const { result, schemaFindings } = await inspect(0, 'tools/list', '--strict');
    assert.ok(result.tools.some(tool => tool.name === 'flightdeck.terminal.run'));
    assert.equal(schemaFindings, undefined, JSON.stringify(schemaFindings));
    return result.tools.length;
});

await check('run', async () => {
    const { success, output, data } = await call(0, 'flightdeck.terminal.run', { command: 'echo hi; exit 3' });
    assert.equal(success, true);
    assert.match(output, /hi/);
    assert.equal(data.exitCode, 3);
});

await check('error', async () => {
    const { success, code } = await call(TOOL_ERROR, 'flightdeck.terminal.read', { id: 't999' });
    assert.equal(success, false);
    assert.equal(code, 'terminal_not_found');
});

await check('resource', async () => {
    const uri = `terminal://${chosen.terminal}/screen`;
    const { result } = await inspect(0, 'resources/read', '--uri', uri);
    assert.equal(result.contents[0].uri, uri);
});

finish();
