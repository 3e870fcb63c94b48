// One line of JSON for each check, then OK, or an exit code that says that something failed.
import { setTimeout as pause } from 'node:timers/promises';

/** How long one check may take. What it waits for takes a second or two. */
const DEADLINE = 20_000;

let failed = 0;

export async function check(name, body) {
    const started = performance.now();
    const line = { check: name, ok: true };
    try {
        const detail = await within(DEADLINE, `${name} to be over`, body());
        if (detail !== undefined) line.detail = detail;
    } catch (error) {
        failed += 1;
        line.ok = false;
        // The second has a library's own words for it, such as an HTTP status.
        line.error = error?.stack ?? String(error);
        line.said = { code: error?.code, status: error?.status };
    }
    line.ms = Math.round(performance.now() - started);
    console.log(JSON.stringify(line));
    return line.ok;
}

/** Ends the program: what a library may have left running does not hold it up. */
export function finish() {
    if (failed === 0) console.log('OK');
    process.exit(failed === 0 ? 0 : 1);
}

export function within(ms, what, promise) {
    const alarm = new AbortController();
    const late = pause(ms, undefined, { signal: alarm.signal }).then(() => {
        throw new Error(`waited ${ms} ms for ${what}`);
    });
    late.catch(() => {});
    return Promise.race([promise, late]).finally(() => alarm.abort());
}

/** Looks until there is something. The check's own deadline is the limit. */
export async function until(what, look, ms = DEADLINE - 2_000) {
    const end = performance.now() + ms;
    for (;;) {
        const found = await look();
        if (found) return found;
        if (performance.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
        await pause(20);
    }
}
