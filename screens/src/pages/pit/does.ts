/** Sends what somebody at this console decided, and says why where it is refused. */
import type { FloorCommand, TableCommand } from '../../api/types.ts';
import { commandFloor, isRefused, type Refused } from '../../lib/api.ts';
import type { Live } from '../../lib/live.svelte.ts';
import { note, noteRefusal } from '../../lib/notes.svelte.ts';
import { t } from '../../lib/words.svelte.ts';

/** Have a table decide something; whether it was done. */
export async function doAt(live: Live, table: string, command: TableCommand): Promise<boolean> {
  return tell(await live.command(table, command));
}

/** Have the floor decide something; whether it was done. */
export async function doOnFloor(command: FloorCommand): Promise<boolean> {
  return tell(await commandFloor(command, 'staff'));
}

/** Say what came of something; whether it was done. */
export function tell(answer: unknown): boolean {
  if (isRefused(answer)) {
    noteRefusal(answer as Refused);
    return false;
  }
  note(t('pit.done'), 'good');
  return true;
}
