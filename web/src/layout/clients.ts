/** How each of the well-known agents is told about this hub. */

import { shellLine } from '../ui/shell';

export interface ClientSetup {
  name: string;
  where: string;
  text: string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** `program`: how Flightdeck is started on this machine. */
export function clientsFor(program: string): ClientSetup[] {
  const server = { command: program, args: ['mcp'] };
  const line = shellLine([program]);
  return [
    { name: 'Claude Code', where: 'In the project’s folder:', text: `claude mcp add flightdeck -- ${line} mcp` },
    { name: 'Codex', where: 'Once, for all projects:', text: `codex mcp add flightdeck -- ${line} mcp` },
    { name: 'Gemini CLI', where: 'In the project’s folder:', text: `gemini mcp add flightdeck ${line} mcp` },
    {
      name: 'opencode',
      where: 'In opencode.json of the project:',
      text: json({ mcp: { flightdeck: { type: 'local', command: [program, 'mcp'] } } }),
    },
    { name: 'Zed', where: 'In the settings of Zed:', text: json({ context_servers: { flightdeck: server } }) },
    { name: 'VS Code', where: 'In .vscode/mcp.json of the project:', text: json({ servers: { flightdeck: { type: 'stdio', ...server } } }) },
  ];
}
