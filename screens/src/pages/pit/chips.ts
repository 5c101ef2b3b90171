/** The names of slips. */
import type { MoneyAct } from '../../api/types.ts';
import { t, type Key } from '../../lib/words.svelte.ts';

const ACTS: Partial<Record<MoneyAct, Key>> = {
  opener: 'pit.opener',
  fill: 'pit.fill',
  credit: 'pit.chipReturn',
  'buy-in': 'pit.cashForChips',
  closer: 'pit.closer',
  'drop-count': 'pit.dropCount',
};

/** Return the name of a slip by what it is about. */
export function slipName(act: MoneyAct): string {
  const key = ACTS[act];
  return key ? t(key) : act;
}
