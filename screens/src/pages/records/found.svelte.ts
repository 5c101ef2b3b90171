/** Rounds of all tables that were asked for, page by page, the newest first. */
import type { SearchAnswer, TableRound } from '../../api/types.ts';
import { get, isRefused, type Refused } from '../../lib/api.ts';
import { Latest } from '../../lib/latest.ts';

const PAGE = 50;

/** The name of a round among those of all tables. */
export function keyOf(each: TableRound): string {
  return `${each.table} ${each.round.number}`;
}

/** What was found; only the last question counts. */
export class FoundRounds {
  rounds = $state.raw<TableRound[] | null>(null);
  more = $state(false);
  busy = $state(false);
  refused = $state.raw<Refused | null>(null);
  wagers = $state.raw<Record<string, string>>({});
  situations = $state.raw<SearchAnswer['situations']>([]);
  readonly #questions = new Latest();

  /** Look for rounds under these conditions; `older` adds those before the ones that are there. */
  async look(conditions: Record<string, string>, older = false): Promise<void> {
    const there = older ? (this.rounds ?? []) : [];
    const asked = new URLSearchParams({ most: String(PAGE) });
    for (const [name, value] of Object.entries(conditions)) if (value) asked.set(name, value);
    const last = there.at(-1);
    if (last) asked.set('until', String(last.round.began));
    const isLast = this.#questions.ask();
    this.busy = true;
    const answer = await get<SearchAnswer>(`/rounds?${asked.toString()}`, 'staff');
    if (!isLast()) return;
    this.busy = false;
    this.refused = isRefused(answer) ? answer : null;
    if (isRefused(answer)) return;
    const known = new Set(there.map(keyOf));
    this.rounds = [...there, ...answer.rounds.filter((each) => !known.has(keyOf(each)))];
    this.more = answer.rounds.length === PAGE;
    this.wagers = answer.wagers;
    this.situations = answer.situations;
  }
}
