/** Sitting down at the demonstration floor: the browser becomes a free terminal, and somebody comes to the table. */
import type { AcceptedAnswer, DemoAnswer, LobbyLine, Me } from '../../api/types.ts';
import { commandFloor, commandTable, get, isRefused, post, type Refused } from '../../lib/api.ts';

/** Take a terminal that nobody uses; nothing where none is left. */
export async function sitDown(line: LobbyLine, patron: string): Promise<AcceptedAnswer | Refused | null> {
  const demo = await get<DemoAnswer>('/demo', 'any');
  if (isRefused(demo)) return demo;
  const terminal = demo.terminals.find((each) => each.table === line.table && each.enabled && each.patron === null);
  if (terminal === undefined) return null;
  const me = await post<Me>('/demo/seat', { terminal: terminal.id }, 'terminal');
  if (isRefused(me)) return me;
  const session = await commandFloor({ type: 'open-patron-session', terminal: terminal.id, patron }, 'terminal');
  if (isRefused(session)) return session;
  return commandTable(line.table, { type: 'come-to-table', patron, position: terminal.position }, 'terminal');
}
