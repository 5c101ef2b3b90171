/** The clauses of the rules of a table in plain words, asked for once when somebody wants to know. */
import type { ClauseSaid, ClausesAnswer } from '../../../api/types.ts';
import { get, isRefused } from '../../../lib/api.ts';

export class Rules {
  #said = $state.raw<Map<string, ClauseSaid> | null>(null);
  #asked = false;
  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  /** Have them at hand. */
  async load(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    const answer = await get<ClausesAnswer>(`/tables/${encodeURIComponent(this.#table)}/clauses`, 'terminal');
    if (isRefused(answer)) this.#asked = false;
    else this.#said = new Map(answer.clauses.map((each) => [each.clause, each]));
  }

  /** Return the text of a clause, or nothing while that is not known. */
  says(clause: string): string | null {
    return this.#said?.get(clause)?.says ?? null;
  }
}
