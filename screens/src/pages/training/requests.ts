/** Beginning a drill or a table with a trainer over HTTP, and finding it again; its class is loaded when there is one. */
import type { DrillAnswer, GradeAnswer, TableKind } from '../../api/types.ts';
import { get, post, type Refused } from '../../lib/api.ts';
import type { Live } from '../../lib/live.svelte.ts';
import { noteRefusal } from '../../lib/notes.svelte.ts';
import { language } from '../../lib/words.svelte.ts';
import { lastChosen } from './chosen.ts';

export const LED = 'with-a-trainer/'; // before the game in the name of a table with a trainer
/** Milliseconds until a page asks anew what others have done at a table with a trainer. */
export const FOLLOW_EVERY = 1500;

/** What one begins a drill with. */
export interface Asked {
  drill: string;
  game: string;
  post: string;
  level: number;
}

/** What one begins a drill by chance with: any fault or one, and a new seed or a certain one. */
export interface AskedFault extends Omit<Asked, 'drill'> {
  what: string | null;
  seed: number | null;
}

/** Begin a drill, or open a table with a trainer of the kind that was chosen last. */
export function begin(asked: Asked | AskedFault): Promise<DrillAnswer | Refused> {
  if (!('drill' in asked)) return post(`/training/faults${inLanguage()}`, asked, 'staff');
  if (asked.drill.startsWith(LED)) return openTable(asked.game, lastChosen().kind ?? 'by-dealer');
  return post(`/training/sessions${inLanguage()}`, asked, 'staff');
}

/** The drill or the table with a trainer that somebody has begun, as it stands. */
export function findDrill(session: string): Promise<DrillAnswer | Refused> {
  return get(`/training/sessions/${encodeURIComponent(session)}${inLanguage()}`, 'staff');
}

/** Say why something was refused; whoever was away for long is asked for the password. */
export function complain(floor: Live, refused: Refused): void {
  if (refused.reason === 'session-idle') floor.idle = true;
  else noteRefusal(refused);
}

/** The grade of a drill that was graded before, in the language of the reader. */
export function gradeAgain(session: string): Promise<GradeAnswer | Refused> {
  return post(`/training/sessions/${session}/grade${inLanguage()}`, null, 'staff');
}

/** Open a table with a trainer. */
export function openTable(game: string, kind: TableKind): Promise<DrillAnswer | Refused> {
  return post(`/training/trainer-tables${inLanguage()}`, { game, kind }, 'staff');
}

/** The language that the server is to answer in. */
export function inLanguage(): string {
  return `?language=${encodeURIComponent(language())}`;
}
