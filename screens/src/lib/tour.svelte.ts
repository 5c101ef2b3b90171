/** The guided tour of the demonstration floor: its steps, and how far this browser has come. */
import type { Key } from './words.svelte.ts';

export interface TourStep {
  says: Key;
  /** The page where it is done. */
  path: string;
  /** The page opens beside the one that shows the tour: it fills its screen and has no room for it. */
  beside?: true;
}

export const TOUR: readonly TourStep[] = [
  { says: 'tour.sit', path: '/' },
  { says: 'tour.wager', path: '/terminal' },
  { says: 'tour.why', path: '/terminal' },
  { says: 'tour.leave', path: '/terminal' },
  { says: 'tour.deal', path: '/dealer?table=felt-tiger' },
  { says: 'tour.wrong', path: '/dealer?table=felt-tiger' },
  { says: 'tour.pit', path: '/pit' },
  { says: 'tour.wall', path: '/display?table=tiger', beside: true },
  { says: 'tour.find', path: '/records?part=search' },
  { says: 'tour.prove', path: '/records?part=verify' },
];

/** The tables that the tour is about. */
export const TOURED: readonly string[] = ['fast', 'felt-tiger', 'tiger'];

const KEPT = 'thirdcard-tour';
let at = $state<number | null>(null);
const left = kept();
if (left !== null) goToStep(arrivesAtNext(left) ? left + 1 : left);

/** Whether a step is done on this page. */
export function isDoneHere(step: TourStep | undefined): boolean {
  return step?.path.split('?')[0] === location.pathname;
}

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

/** Whether somebody has come from the page of a step to that of the next one. */
function arrivesAtNext(step: number): boolean {
  return isDoneHere(TOUR[step + 1]) && !isDoneHere(TOUR[step]);
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
