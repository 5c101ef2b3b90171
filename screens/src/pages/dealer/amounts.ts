/** Amounts as a dealer types them, and the chips to tap. */
import type { Currency, WagerOffered } from '../../api/types.ts';

/** The minor units of what was typed, or nothing where it is no amount. */
export function minorOf(text: string, currency: Currency): number | null {
  const found = /^(\d{1,12})(?:[.,](\d*))?$/.exec(text.trim());
  if (!found?.[1]) return null;
  const places = found[2] ?? '';
  if (places.length > currency.exponent) return null;
  const minor = Number(found[1]) * 10 ** currency.exponent + Number(places.padEnd(currency.exponent, '0') || '0');
  return Number.isSafeInteger(minor) && minor > 0 ? minor : null;
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
