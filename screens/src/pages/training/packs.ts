/** The names of packs: those that are shipped by what they are about, others by their folder. */
import { inWords, t } from '../../lib/words.svelte.ts';

const SHIPPED = ['cards', 'dealing', 'nights', 'patrons', 'results', 'wagers', 'with-a-trainer'] as const;

/** The name of a pack. */
export function packName(pack: string): string {
  const known = SHIPPED.find((each) => each === pack);
  if (known) return t(`training.pack_${known}`);
  return pack === '' || pack === 'own' ? t('training.ownPack') : inWords(pack.replaceAll('/', ' '));
}
