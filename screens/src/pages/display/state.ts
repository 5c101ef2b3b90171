/** How a table stands, in the few words that a wall has room for. */
import type { PhaseSection } from '../../api/types.ts';
import { caseName } from '../../lib/names.ts';
import { say, t } from '../../lib/words.svelte.ts';

/** Return what a table does or waits for just now. */
export function stateOf(phase: PhaseSection): string {
  if (phase.stopped) return t('tableState.stopped');
  if (phase.held) return phase.round === null ? t('display.held') : t('display.heldRound', { round: phase.round });
  if (phase.case) return caseName(phase.case);
  if (phase.paused) return t('tableState.paused');
  if (phase.phase === 'shut') return t('tableState.shut');
  if (phase.disabled && phase.phase === 'idle') return t('tableState.disabled');
  const hand = phase.awaited?.step === 'card' ? phase.awaited.hand : null;
  if (phase.phase === 'dealing' && hand) return t('display.cardFor', { hand: say(`hand.${hand}`) });
  return t(`call.${phase.phase}`);
}
