/** The post and level for which somebody chose drills last, kept in this browser. */

import type { TableKind } from '../../api/types.ts';

const KEPT = 'thirdcard-training';

export interface Chosen {
  post: string;
  level: number;
  game: string;
  /** Who handles the cards at a table with a trainer. */
  kind: TableKind;
}

/** What was chosen last; nothing where nothing was. */
export function lastChosen(): Partial<Chosen> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Chosen>;
  } catch {
    return {};
  }
}

/** Keep what was chosen, and what was chosen before beside it. */
export function keepChosen(chosen: Partial<Chosen>): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...lastChosen(), ...chosen }));
  } catch {
    // then it is chosen anew the next time
  }
}
