/** The act that a second person is asked to approve, in words: whoever approves reads what it is. */
import type { TableCommand, View } from '../api/types.ts';
import { inFull, rank, suit } from './format.ts';
import { wagerById } from './names.ts';
import { t } from './words.svelte.ts';

/** Say what a command does that two people stand for; nothing where the page behind the question shows all of it. */
export function approving(command: TableCommand, { currency, wagers }: View['setup']): string {
  const on = (wager: string): string => wagerById(wager, wagers);
  switch (command.type) {
    case 'correct-card': {
      const about = { number: command.number, card: `${rank(command.card)}${suit(command.card)}` };
      return command.round
        ? t('dealer.approveOldCard', { ...about, round: command.round })
        : t('dealer.approveCard', about);
    }
    case 'correct-wager': {
      const { patron, to_patron, to_wager } = command;
      const lay = to_wager ? `${to_patron ?? patron} · ${on(to_wager)}` : t('case.nothingLay');
      const wrong = `${patron} · ${on(command.wager)} ${inFull(command.amount, currency)}`;
      return t('dealer.approveWager', { wrong, lay });
    }
    case 'find-wager':
      return t('dealer.approveFound', {
        found: `${command.patron} · ${on(command.wager)} ${inFull(command.amount, currency)}`,
      });
    case 'answer-offer':
      return command.withdraw ? t('dealer.approveWithdrawal', { patron: command.patron }) : '';
    case 'decide-dispute':
      return t('dealer.approveDecision', {
        id: command.id,
        decision: command.decision,
        award: inFull(command.award ?? 0, currency),
      });
    case 'pay-award':
      return t('dealer.approvePayment', { id: command.id });
    default:
      return '';
  }
}
