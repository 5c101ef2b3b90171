/** The time of a result. */
import type { ResultLine } from '../../api/types.ts';

/** The day and the time of a result, as it was where it took place. */
export function when({ time }: ResultLine): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)}`;
}
