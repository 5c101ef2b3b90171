/** The situations that can arise, in the groups in which people look for them. */
import type { Situation } from '../../../api/types.ts';

export const GROUPS = {
  dealing: [
    'wrong-order',
    'misdeal',
    'cards-together',
    'unauthorised-player-card',
    'unauthorised-banker-card',
    'wrong-number-of-cards',
    'face-up-card',
    'next-card-known',
  ],
  handling: [
    'wrong-delivery',
    'not-delivered',
    'exposed-in-error',
    'exposed-in-movement',
    'patron-absent',
    'patron-left-with-cards',
  ],
  wagers: [
    'late-wager',
    'late-withdrawal',
    'under-minimum',
    'over-maximum',
    'old-limit-mistake',
    'differential-exceeded',
  ],
  result: ['wrong-call', 'wrong-display', 'wrong-payment'],
  shoe: [
    'foreign-card',
    'extra-card',
    'missing-card',
    'unshuffled-cards',
    'order-altered',
    'too-few-cards',
    'burn-forgotten',
    'cutting-card-first',
    'device-reset',
  ],
  other: ['power-failure', 'not-covered'],
} satisfies Record<string, Situation[]>;

export type Group = keyof typeof GROUPS;
