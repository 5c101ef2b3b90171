/** How a table stands, in words: what it waits for, and what somebody at a terminal must know at once. */
import type { View } from '../../api/types.ts';
import { money } from '../../lib/format.ts';
import { caseName } from '../../lib/names.ts';
import { named, say, t } from '../../lib/words.svelte.ts';

export interface State {
  tone: 'plain' | 'warn' | 'bad';
  text: string;
  clauses: string[];
}

/** Return the states that are out of the ordinary, the gravest first. */
export function statesOf(view: View): State[] {
  const { phase, own, shoe } = view;
  const found: State[] = [];
  const say_ = (tone: State['tone'], text: string, clauses: string[] = []) => found.push({ tone, text, clauses });
  if (phase.stopped) say_('bad', t('terminal.stopped'));
  if (phase.held)
    say_('warn', phase.round === null ? t('terminal.held') : t('terminal.heldRound', { round: phase.round }));
  else if (phase.paused)
    say_('warn', phase.round === null ? t('terminal.paused') : t('terminal.pausedRound', { round: phase.round }));
  if (phase.phase === 'shut') say_('warn', t('terminal.shut'));
  else if (phase.disabled) say_('warn', t('terminal.disabled'));
  if (phase.case) {
    const situation = caseName(phase.case);
    say_('warn', t('terminal.case', { situation }), phase.case.clause ? [phase.case.clause] : []);
  }
  if (phase.gap) {
    const { currency } = view.setup;
    const params = {
      gap: money(phase.gap.gap, currency),
      limit: money(phase.gap.limit, currency),
      hand: say(`hand.${phase.gap.heavier}`),
    };
    say_('warn', t('terminal.gap', params), phase.awaited?.clauses ?? []);
  }
  if (shoe.free_hand_by) say_('plain', t('terminal.freeHandNext'), [shoe.free_hand_by]);
  if (own && own.marked !== null) say_('warn', t('terminal.marked', { round: own.marked }));
  return found;
}

/** Return the step that the table waits for, in words. */
export function stepText(view: View): string {
  const { awaited, phase } = view.phase;
  if (phase === 'betting') return say('call.place-your-bets');
  if (!awaited) return named('phase', phase);
  const hand = awaited.hand ? say(`hand.${awaited.hand}`) : '';
  if (awaited.step === 'squeeze' && view.own?.hands.some((each) => each.hand === awaited.hand))
    return t('terminal.yours', { hand });
  return t(`terminal.step-${awaited.step}`, { hand });
}

/** Whether the round that the table shows is over, and wagers are taken for the next one. */
export function isOver({ phase, outcome }: View): boolean {
  return outcome.ended && (phase.phase === 'betting' || phase.phase === 'closed');
}
