/** The names of packs: those that are shipped by what they are about, those of seeds, others by their folder. */
import { inWords, knows, say } from '../../lib/words.svelte.ts';

/** The pack of exercises in ordinary dealing. */
export const EXERCISES = 'dealing-by-seed';

/** The name of a pack. */
export function packName(pack: string): string {
  const key = `drill-pack.${pack || 'own'}`;
  return knows(key) ? say(key) : inWords(pack.replaceAll('/', ' '));
}
