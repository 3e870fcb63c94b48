// How every client here is told which server to use:
//   CLIENT [--mode legacy|auto] [--terminal ID] --url URL [--token-file FILE]
//   CLIENT [--mode legacy|auto] [--terminal ID] -- COMMAND ARGUMENT...
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

export function options() {
    const { values, positionals } = parseArgs({
        allowPositionals: true,
        options: {
            // legacy: the handshake of 2025-11-25 and before. auto: the newest that both know, 2026-07-28.
            mode: { type: 'string', default: 'legacy' },
            // A shell that is at its prompt and that nobody else uses.
            terminal: { type: 'string', default: 't1' },
            url: { type: 'string' },
            'token-file': { type: 'string' },
        },
    });
    if (!values.url === !positionals.length) throw new Error('either --url URL or -- COMMAND, please');
    const token = values['token-file'] && readFileSync(values['token-file'], 'utf8').trim();
    return {
        mode: values.mode,
        terminal: values.terminal,
        url: values.url && new URL(values.url),
        headers: token ? { Authorization: `Bearer ${token}` } : {},
        command: positionals[0],
        args: positionals.slice(1),
    };
}
