/** The rounds that a dispute may be about. */

const OFFERED = 20;

/** The last rounds, the newest first, with one that takes wagers already and has not begun. */
export function roundsToDispute(last: number, next: number | null): number[] {
  const newest = next ?? last;
  return Array.from({ length: Math.min(newest, OFFERED) }, (_, at) => newest - at);
}
