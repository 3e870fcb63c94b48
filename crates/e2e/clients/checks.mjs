// What every JavaScript client must be able to do with a Flightdeck server. A client is given as an object:
//   version, tools(), call(name, args, { progress, signal }), resources(), read(uri), watch(uri, changed), prompts(),
//   prompt(name, args).
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { check, until } from './report.mjs';

const RUN = 'flightdeck.terminal.run';
const READ = 'flightdeck.terminal.read';
const LIST = 'flightdeck.terminal.list';
const SCREEN = 'flightdeck.terminal.screen';
const VERSIONS = { legacy: '2025-11-25', auto: '2026-07-28' };

export async function checkEverything(client, { mode, terminal }) {
    const screen = `terminal://${terminal}/screen`;
    const folder = mkdtempSync(join(tmpdir(), 'fd-client-'));
    const ajv = addFormats(new Ajv2020({ strict: true, strictTypes: false, allErrors: true }));
    const validators = new Map();

    /** Calls a tool and checks what holds for every result: the text is the same JSON, and it fits the schema. */
    async function call(name, args, options) {
        const result = await client.call(name, args, options);
        const said = JSON.stringify(result).slice(0, 2000);
        assert.equal(result.content?.[0]?.type, 'text', said);
        assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, 'the text is the same JSON');
        const valid = validators.get(name);
        assert.ok(valid, `${name} has an output schema`);
        assert.ok(valid(result.structuredContent), `${JSON.stringify(valid.errors)} in ${said}`);
        return result;
    }

    async function ran(command, options, args) {
        const result = await call(RUN, { command, ...args }, options);
        const said = JSON.stringify(result).slice(0, 2000);
        assert.ok(!result.isError, `the call itself worked: ${said}`);
        assert.equal(result.structuredContent.success, true, said);
        return result.structuredContent;
    }

    async function terminals() {
        const { structuredContent } = await call(LIST, { all: true });
        return structuredContent.data.terminals;
    }

    await check('version', () => {
        assert.equal(client.version, VERSIONS[mode]);
        return client.version;
    });

    await check('tools', async () => {
        const tools = await client.tools();
        const names = tools.map(tool => tool.name);
        for (const name of [RUN, READ, LIST]) assert.ok(names.includes(name), `${name} in ${names}`);
        assert.equal(new Set(names).size, names.length, 'every name is there once');
        for (const tool of tools) {
            assert.ok(tool.description, `${tool.name} has a description`);
            assert.ok(tool.annotations, `${tool.name} has annotations`);
            // What may be a picture promises no structured content.
            for (const key of tool.name === SCREEN ? ['inputSchema'] : ['inputSchema', 'outputSchema']) {
                assert.equal(tool[key]?.type, 'object', `${tool.name}: ${key}`);
                try {
                    const validate = ajv.compile(tool[key]);
                    if (key === 'outputSchema') validators.set(tool.name, validate);
                } catch (error) {
                    throw new Error(`${tool.name}: ${key}: ${error.message}`);
                }
            }
        }
        return names.length;
    });

    await check('run', async () => {
        const { output, data } = await ran('echo hi');
        assert.match(output, /hi/);
        assert.equal(data.exitCode, 0);
    });

    await check('exit code', async () => {
        const { data } = await ran('exit 3');
        assert.equal(data.exitCode, 3);
    });

    await check('error', async () => {
        const { isError, structuredContent } = await call(READ, { id: 't999' });
        assert.equal(isError, true);
        assert.equal(structuredContent.success, false);
        assert.equal(structuredContent.code, 'terminal_not_found');
    });

    await check('picture', async () => {
        const { isError, content, structuredContent } = await client.call(SCREEN, { id: terminal, image: true });
        assert.ok(!isError, JSON.stringify(content).slice(0, 2000));
        assert.deepEqual(content.slice(0, 2).map(part => part.type), ['text', 'image']);
        assert.equal(JSON.parse(content[0].text).success, true);
        assert.equal(structuredContent, undefined, 'nothing is taken in its place');
    });

    await check('progress', async () => {
        // The command ends when progress was reported, so a report that comes with the result is too late.
        const gate = join(folder, 'gate');
        const reports = [];
        const { output } = await ran(`until [ -e '${gate}' ]; do sleep 0.05; done; echo through`, {
            progress(report) {
                reports.push(report.progress);
                writeFileSync(gate, '');
            },
        });
        assert.match(output, /through/);
        for (let i = 1; i < reports.length; i++) assert.ok(reports[i] > reports[i - 1], `progress grows: ${reports}`);
        return reports;
    });

    await check('cancel', async () => {
        const file = join(folder, 'pid');
        const before = (await terminals()).map(one => one.id);
        const cancelled = new AbortController();
        const running = client.call(RUN, { command: `echo $$ >'${file}'; exec sleep 300` }, { signal: cancelled.signal });
        const outcome = running.then(
            result => `a result: ${JSON.stringify(result).slice(0, 500)}`,
            error => `rejected: ${error.message}`,
        );
        const pid = await until('the command has started', () => {
            const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
            return text.endsWith('\n') && Number(text);
        });
        const { id } = await until('it is listed', async () =>
            (await terminals()).find(one => one.running && !before.includes(one.id)),
        );
        cancelled.abort('enough');
        await until(`${pid} is gone`, () => !isAlive(pid));
        await until(`${id} is not running`, async () => {
            const one = (await terminals()).find(one => one.id === id);
            return !one || !one.running;
        });
        assert.match(await outcome, /^rejected/);
    });

    await check('after a cancelled call', async () => {
        assert.match((await ran('echo still here')).output, /still here/);
    });

    await check('resources', async () => {
        const resources = await client.resources();
        const listed = resources.find(resource => resource.uri === screen);
        assert.ok(listed?.name, `${screen} in ${JSON.stringify(resources.map(resource => resource.uri))}`);
        const { contents } = await client.read(screen);
        assert.equal(contents.length, 1);
        assert.equal(contents[0].uri, screen);
        assert.equal(typeof contents[0].text, 'string');
        assert.ok(contents[0].mimeType);
    });

    await check('unknown resource', async () => {
        const outcome = await client.read('terminal://t999/screen').then(JSON.stringify, error => error);
        assert.ok(outcome instanceof Error, `an error, not ${outcome}`);
        assert.ok([-32602, -32002].includes(outcome.code), `${outcome.code}: ${outcome.message}`);
    });

    await check('subscription', async () => {
        const mark = `mark-${process.pid}-${Date.now()}`;
        let updates = 0;
        const stop = await client.watch(screen, uri => {
            if (uri === screen) updates += 1;
        });
        // In two parts, so that the screen shows the mark when it was printed and not when it was typed.
        const { data } = await ran(`printf '%s%s\\n' '${mark.slice(0, 5)}' '${mark.slice(5)}'`, {}, { id: terminal });
        assert.equal(data.exitCode, 0);
        await until('an update', () => updates > 0);
        await until('the mark on the screen', async () => (await client.read(screen)).contents[0].text.includes(mark));
        await stop();
        return updates;
    });

    await check('prompts', async () => {
        const prompts = await client.prompts();
        assert.ok(prompts.length > 0);
        for (const prompt of prompts) {
            assert.ok(prompt.description, `${prompt.name} has a description`);
            const required = (prompt.arguments ?? []).filter(argument => argument.required);
            const args = required.map(({ name }) => [name, /^(id|terminal)/.test(name) ? terminal : 'true']);
            const { messages } = await client.prompt(prompt.name, Object.fromEntries(args));
            assert.ok(messages.length > 0, prompt.name);
            for (const { role, content } of messages) assert.ok(role && content.type, prompt.name);
        }
        return prompts.map(prompt => prompt.name);
    });

    rmSync(folder, { recursive: true, force: true });
}

/** Follows cursors to the last page. */
export async function pages(list, field) {
    const all = [];
    let cursor;
    do {
        const page = await list(cursor === undefined ? {} : { cursor });
        all.push(...page[field]);
        cursor = page.nextCursor;
    } while (cursor !== undefined);
    return all;
}

function isAlive(pid) {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        return error.code === 'EPERM';
    }
}
