// Packages are installed outside of the repository (scripts/clients), so that is where imports of them are looked up.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const installed = pathToFileURL(`${process.env.FLIGHTDECK_CLIENTS}/package.json`).href;
const ours = new URL('.', import.meta.url).href;

registerHooks({
    resolve(specifier, context, next) {
        const isPackage = /^[@a-z]/.test(specifier) && !specifier.includes(':');
        const parentURL = isPackage && context.parentURL?.startsWith(ours) ? installed : context.parentURL;
        return next(specifier, { ...context, parentURL });
    },
});
