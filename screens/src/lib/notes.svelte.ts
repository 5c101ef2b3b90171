/** Short notes that come up and go by themselves: what was accepted, and what was refused and why. */
import type { Refused } from './api.ts';
import { sayRefusal } from './words.svelte.ts';

export type Tone = 'plain' | 'good' | 'bad';
export interface Note {
  id: number;
  tone: Tone;
  text: string;
  clauses: string[];
}

const STAYS: Record<Tone, number> = { plain: 4000, good: 4000, bad: 9000 }; // milliseconds
const MOST = 4;
let next = 0;
let shown = $state.raw<Note[]>([]);

/** The notes that are up now, the newest last. */
export function notes(): Note[] {
  return shown;
}

/** Put a note up; its number, to take it down by. */
export function note(text: string, tone: Tone = 'plain', clauses: string[] = []): number {
  const id = next++;
  const others = shown.filter((each) => each.text !== text);
  shown = [...others.slice(1 - MOST), { id, tone, text, clauses }];
  setTimeout(() => forget(id), STAYS[tone]);
  return id;
}

/** Say why something was refused; whoever was away too long is asked for the password instead. */
export function noteRefusal(refused: Refused): void {
  if (refused.reason === 'session-idle') return;
  note(sayRefusal(refused), 'bad', refused.clauses);
}

/** Take all notes down: they are in the language that was spoken. */
export function forgetAll(): void {
  shown = [];
}

/** Take a note down. */
export function forget(id: number): void {
  shown = shown.filter((each) => each.id !== id);
}
