/** Amounts as a dealer types them on the felt, and the chips to tap. */
import type { Currency, WagerOffered } from '../../../api/types.ts';
import { parsePositive, type AmountFault } from '../../../lib/amount.ts';

/** Chips to put down or, after a minus, to take off; or why the text is no amount. */
export interface OnFelt {
  off: boolean;
  read: number | AmountFault;
}

/** Read what is typed on the felt. */
export function parseOnFelt(text: string, currency: Currency): OnFelt {
  const off = text.startsWith('-');
  return { off, read: parsePositive(off ? text.slice(1) : text, currency) };
}

const STEPS = [1, 2, 5];
const CHIPS = 6;

/** The chips to tap: from the lowest minimum on offer upwards. */
export function chipsFor(wagers: WagerOffered[], currency: Currency): number[] {
  const unit = 10 ** currency.exponent;
  const least = Math.min(...wagers.map((each) => each.minimum));
  const values: number[] = [];
  for (let power = 0; power < 10 && values.length < CHIPS; power += 1) {
    for (const step of STEPS) {
      const value = step * 10 ** power * unit;
      if (step !== 2 && value >= least && values.length < CHIPS) values.push(value);
    }
  }
  return values;
}
