/** The chips of a rack: values that people know, between the lowest minimum and the highest maximum of a table. */
import type { SetupSection } from '../../../api/types.ts';

const VALUES = [1, 2, 5, 10, 25, 50, 100, 500, 1000, 5000, 10_000, 25_000, 50_000, 100_000, 500_000, 1_000_000];
const MOST = 7;

/** The values of the chips in minor units, the lowest first. */
export function chipsFor({ wagers, currency, unit }: SetupSection): number[] {
  const least = Math.min(...wagers.map((each) => each.minimum));
  const most = Math.max(...wagers.map((each) => each.maximum));
  const known = VALUES.map((value) => value * 10 ** currency.exponent).filter(
    (value) => value % unit === 0 && value <= most,
  );
  const lowest = known.findLast((value) => value <= least) ?? least;
  const fitting = known.filter((value) => value >= lowest);
  if (fitting.length <= MOST) return fitting.length > 0 ? fitting : [least];
  return Array.from(
    { length: MOST },
    (_, at) => fitting[Math.round((at * (fitting.length - 1)) / (MOST - 1))] ?? least,
  );
}

/** The chip to begin with: the lowest that is a wager on a hand by itself. */
export function usualChip(chips: number[], { wagers }: SetupSection): number {
  const least = Math.min(...wagers.filter((each) => each.kind === 'main').map((each) => each.minimum));
  return chips.find((chip) => chip >= least) ?? chips.at(-1) ?? least;
}

/** An amount in chips, the highest first; what no chip makes up is left out. */
export function inChips(amount: number, chips: number[]): number[] {
  const found: number[] = [];
  let left = amount;
  for (const chip of chips.toReversed()) {
    for (; left >= chip && found.length < 20; left -= chip) found.push(chip);
  }
  return found;
}
