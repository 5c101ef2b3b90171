/** The post and level for which somebody chose drills last, kept in this browser. */

const KEPT = 'thirdcard-training';

export interface Chosen {
  post: string;
  level: number;
  game: string;
}

/** What was chosen last; nothing where nothing was. */
export function lastChosen(): Partial<Chosen> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Chosen>;
  } catch {
    return {};
  }
}

/** Keep what was chosen. */
export function keepChosen(chosen: Chosen): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  } catch {
    // then it is chosen anew the next time
  }
}
