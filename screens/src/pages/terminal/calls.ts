/** What is heard of a table: the calls of the Dealer as they were recorded, and cards that are laid. */
import type { MomentAt } from '../../api/types.ts';
import { hearCard, repeatCall } from '../../lib/sound.svelte.ts';
import { say, t } from '../../lib/words.svelte.ts';

/** Return the call that was made, in the words of the document; nothing where none was. */
export function callOf({ what }: MomentAt): string | null {
  switch (what.kind) {
    case 'betting-opened':
    case 'betting-closed':
      return what.call ? say(what.call) : null;
    case 'last-hand-announced':
      return t('terminal.lastHand');
    case 'outcome-called': {
      const { winner, player, banker } = what;
      return player == null || banker == null ? say(`winner.${winner}`) : say(`outcome.${winner}`, { player, banker });
    }
    default:
      return null;
  }
}

/** Let what happened be heard, where sound is on. */
export function hear(moments: MomentAt[]): void {
  if (moments.some(({ what }) => what.kind === 'card-drawn' || what.kind === 'cards-exposed')) hearCard();
  for (const moment of moments) {
    const call = callOf(moment);
    if (call !== null) repeatCall(call);
  }
}
