/** How far a dealer is with taking and paying; kept in the browser, so that a reload does not begin again. */
import type { SettlementSection } from '../../api/types.ts';
import { parseWhole } from '../../lib/amount.ts';

/** The takes and pays of one table: those before the pointer are done. */
export class Settling {
  #at = $state(0);
  #of = $state('');
  readonly #kept: string;

  constructor(table: string) {
    this.#kept = `thirdcard-settled-${table}`;
    try {
      const [of = '', at = ''] = (sessionStorage.getItem(this.#kept) ?? '').split('#');
      const lines = parseWhole(at, 0, Number.MAX_SAFE_INTEGER);
      if (typeof lines === 'number') [this.#of, this.#at] = [of, lines];
    } catch {
      // then it begins again
    }
  }

  /** How many lines of a settlement are done. */
  done(settlement: SettlementSection): number {
    return signature(settlement) === this.#of ? this.#at : 0;
  }

  /** Whether the next round may come: everything was taken and paid, and the sums are right. */
  finished(settlement: SettlementSection): boolean {
    return settlement.balances && this.done(settlement) >= settlement.lines.length;
  }

  /** So many lines are done. */
  reach(settlement: SettlementSection, lines: number): void {
    this.#of = signature(settlement);
    this.#at = Math.min(lines, settlement.lines.length);
    try {
      sessionStorage.setItem(this.#kept, `${this.#of}#${this.#at}`);
    } catch {
      // then it begins again after a reload
    }
  }
}

/** What tells one settlement from another, also from the same one corrected. */
function signature(settlement: SettlementSection): string {
  const lines = settlement.lines.map((line) => `${line.id}.${line.taken}.${line.paid}.${line.back}`);
  return `${settlement.round}:${settlement.void}:${lines.join(',')}`;
}
