/** The names of packs: those that are shipped by what they are about, those of seeds, others by their folder. */
import { inWords, knows, say, t } from '../../lib/words.svelte.ts';

const SHIPPED = ['cards', 'dealing', 'nights', 'patrons', 'results', 'wagers'] as const;

/** The pack of exercises in ordinary dealing. */
export const EXERCISES = 'dealing-by-seed';

/** The name of a pack. */
export function packName(pack: string): string {
  const known = SHIPPED.find((each) => each === pack);
  if (known) return t(`training.pack_${known}`);
  if (knows(`train-pack.${pack}`)) return say(`train-pack.${pack}`);
  return pack === '' || pack === 'own' ? t('training.ownPack') : inWords(pack.replaceAll('/', ' '));
}
