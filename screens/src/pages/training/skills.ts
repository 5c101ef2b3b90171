/** The figures of a skill in ordinary dealing: how often right, and how fast. */
import type { SkillResult } from '../../api/types.ts';
import { language } from '../../lib/words.svelte.ts';

/** The share of questions that were answered rightly. */
export function accuracy({ right, asked }: SkillResult): number {
  return right / asked;
}

/** The seconds that a question took. */
export function secondsEach({ seconds, asked }: SkillResult): number {
  return seconds / asked;
}

/** The cards that were entered in a minute; nothing for a skill that enters none, or that took no time. */
export function cardsAMinute({ cards, seconds }: SkillResult): number | null {
  return cards > 0 && seconds > 0 ? (cards * 60) / seconds : null;
}

/** A share in whole per cent. */
export function percent(value: number): string {
  return new Intl.NumberFormat(language(), { style: 'percent' }).format(value);
}
