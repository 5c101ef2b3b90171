/** The takes and pays that a dealer has done; kept in the browser, so that a reload does not begin again. */
import type { SettlementLine, SettlementSection } from '../../../api/types.ts';

/** The lines of one table that are done, of the round that is settled. */
export class Settling {
  #round = $state('');
  #done = $state.raw<ReadonlySet<string>>(new Set());
  readonly #kept: string;

  constructor(table: string) {
    this.#kept = `thirdcard-settled-${table}`;
    try {
      const [round = '', lines = ''] = (sessionStorage.getItem(this.#kept) ?? '').split('#');
      [this.#round, this.#done] = [round, new Set(lines.split(','))];
    } catch {
      // then it begins again
    }
  }

  /** How many lines of a settlement are done, from the first one on. */
  done(settlement: SettlementSection): number {
    const next = settlement.lines.findIndex((line) => !this.has(settlement, line));
    return next < 0 ? settlement.lines.length : next;
  }

  /** Whether a line is done. */
  has(settlement: SettlementSection, line: SettlementLine): boolean {
    return this.#round === String(settlement.round) && this.#done.has(line.key);
  }

  /** Whether chips moved by a line that is to be undone, as far as this console knows. */
  moved(settlement: SettlementSection, line: SettlementLine): boolean {
    return line.undoes !== null && this.#round === String(settlement.round) && this.#done.has(line.undoes);
  }

  /** Whether the next round may come: everything was taken and paid, and the sums are right. */
  finished(settlement: SettlementSection): boolean {
    return settlement.balances && this.done(settlement) >= settlement.lines.length;
  }

  /** So many lines are done; what was done by a settlement that was taken back is remembered. */
  reach(settlement: SettlementSection, lines: number): void {
    const round = String(settlement.round);
    const before = this.#round === round ? this.#done : [];
    this.#round = round;
    this.#done = new Set([...before, ...settlement.lines.slice(0, lines).map((line) => line.key)]);
    try {
      sessionStorage.setItem(this.#kept, `${round}#${[...this.#done].join(',')}`);
    } catch {
      // then it begins again after a reload
    }
  }
}
