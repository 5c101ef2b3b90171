/** The tone in which the state of a table is shown. */
import type { TableState } from '../api/types.ts';

export const TONES: Record<TableState, 'good' | 'accent' | 'plain' | 'warn' | 'bad'> = {
  betting: 'good',
  dealing: 'accent',
  'between-rounds': 'plain',
  paused: 'warn',
  stopped: 'bad',
  disabled: 'warn',
  shut: 'plain',
};
