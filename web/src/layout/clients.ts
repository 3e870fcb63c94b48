/** How each of the well-known agents is told about this hub. */

export interface ClientSetup {
  name: string;
  where: string;
  text: string;
}

const SERVER = { command: 'flightdeck', args: ['mcp'] };
const json = (value: unknown) => JSON.stringify(value, null, 2);

export const CLIENTS: ClientSetup[] = [
  { name: 'Claude Code', where: 'In the project’s folder:', text: 'claude mcp add flightdeck -- flightdeck mcp' },
  { name: 'Codex', where: 'Once, for all projects:', text: 'codex mcp add flightdeck -- flightdeck mcp' },
  { name: 'Gemini CLI', where: 'In the project’s folder:', text: 'gemini mcp add flightdeck flightdeck mcp' },
  {
    name: 'opencode',
    where: 'In opencode.json of the project:',
    text: json({ mcp: { flightdeck: { type: 'local', command: ['flightdeck', 'mcp'] } } }),
  },
  { name: 'Zed', where: 'In the settings of Zed:', text: json({ context_servers: { flightdeck: SERVER } }) },
  { name: 'VS Code', where: 'In .vscode/mcp.json of the project:', text: json({ servers: { flightdeck: { type: 'stdio', ...SERVER } } }) },
];
