// The JavaScript SDK that most clients are built on today (`@modelcontextprotocol/sdk`): protocol 2025-11-25.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { checkEverything, pages } from './checks.mjs';
import { options } from './options.mjs';
import { check, finish } from './report.mjs';

const chosen = options();
const client = new Client({ name: 'sdk-v1', version: '1' });
const transport = chosen.url
    ? new StreamableHTTPClientTransport(chosen.url, { requestInit: { headers: chosen.headers } })
    : new StdioClientTransport({ command: chosen.command, args: chosen.args, env: process.env });
// This client keeps the agreed version to itself and tells the transport.
let version;
const tell = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = agreed => {
    version = agreed;
    tell?.(agreed);
};

const connected = await check('connect', async () => {
    await client.connect(transport);
    return client.getServerVersion();
});
if (connected) {
    await checkEverything(
        {
            version,
            tools: () => pages(page => client.listTools(page), 'tools'),
            call: (name, args, { progress, signal } = {}) =>
                client.callTool({ name, arguments: args }, CallToolResultSchema, { onprogress: progress, signal }),
            resources: () => pages(page => client.listResources(page), 'resources'),
            read: uri => client.readResource({ uri }),
            async watch(uri, changed) {
                client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => changed(params.uri));
                await client.subscribeResource({ uri });
                return () => client.unsubscribeResource({ uri });
            },
            prompts: () => pages(page => client.listPrompts(page), 'prompts'),
            prompt: (name, args) => client.getPrompt({ name, arguments: args }),
        },
        chosen,
    );
    await check('close', () => client.close());
}
finish();
