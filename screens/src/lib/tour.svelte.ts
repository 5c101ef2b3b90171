/** The guided tour of the demonstration floor: its steps, and how far this browser has come. */
import type { Key } from './words.svelte.ts';

export interface TourStep {
  says: Key;
  /** The page where it is done. */
  path: string;
}

export const TOUR: readonly TourStep[] = [
  { says: 'tour.sit', path: '/' },
  { says: 'tour.wager', path: '/terminal' },
  { says: 'tour.why', path: '/terminal' },
  { says: 'tour.leave', path: '/terminal' },
  { says: 'tour.deal', path: '/dealer?table=felt-tiger' },
  { says: 'tour.wrong', path: '/dealer?table=felt-tiger' },
  { says: 'tour.pit', path: '/pit' },
  { says: 'tour.wall', path: '/display?table=tiger' },
  { says: 'tour.find', path: '/records?part=search' },
  { says: 'tour.prove', path: '/records?part=verify' },
];

const KEPT = 'thirdcard-tour';
let at = $state<number | null>(kept());

/** The step that somebody is at, or nothing where no tour is under way. */
export function tourStep(): number | null {
  return at;
}

/** Go to a step; nothing ends the tour. */
export function goToStep(step: number | null): void {
  at = step;
  try {
    if (step === null) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, TOUR[step]?.says ?? '');
  } catch {
    // then the next page does not know of it
  }
}

function kept(): number | null {
  try {
    const says = localStorage.getItem(KEPT);
    const found = TOUR.findIndex((each) => each.says === says);
    return found < 0 ? null : found;
  } catch {
    return null; // a browser may forbid it
  }
}
