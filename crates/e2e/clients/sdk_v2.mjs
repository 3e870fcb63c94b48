// The JavaScript SDK of 2026 (`@modelcontextprotocol/client`): without a handshake (auto), or the older one (legacy).
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { checkEverything, pages } from './checks.mjs';
import { options } from './options.mjs';
import { check, finish } from './report.mjs';

const chosen = options();
const client = new Client({ name: 'sdk-v2', version: '1' }, { versionNegotiation: { mode: chosen.mode } });
const transport = chosen.url
    ? new StreamableHTTPClientTransport(chosen.url, { requestInit: { headers: chosen.headers } })
    : new StdioClientTransport({ command: chosen.command, args: chosen.args, env: process.env });

const connected = await check('connect', async () => {
    await client.connect(transport);
    return client.getServerVersion();
});
if (connected) {
    await checkEverything(
        {
            version: client.getNegotiatedProtocolVersion(),
            tools: () => pages(page => client.listTools(page), 'tools'),
            call: (name, args, { progress, signal } = {}) =>
                client.callTool({ name, arguments: args }, { onprogress: progress, signal }),
            resources: () => pages(page => client.listResources(page), 'resources'),
            read: uri => client.readResource({ uri }),
            async watch(uri, changed) {
                client.setNotificationHandler('notifications/resources/updated', ({ params }) => changed(params.uri));
                if (chosen.mode === 'auto') {
                    const subscription = await client.listen({ resourceSubscriptions: [uri] });
                    return () => subscription.close();
                }
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
