/** The act that a second person is asked to approve, or to have seen, in words: whoever does it reads what it is. */
import type { Alert, Currency, TableCommand, ToldFacts, View } from '../api/types.ts';
import { inFull, list, rank, saySum, suit } from './format.ts';
import { postName, wagerById } from './names.ts';
import { say, sayMessage, t } from './words.svelte.ts';

/** Say what an alert is about; of money that moved outside a round also who moved how much, and how often. */
export function sayAlert(alert: Alert, currency: Currency): string {
  const what = sayMessage(alert.what);
  if (!alert.act) return what;
  const sum = alert.amount ? inFull(alert.amount, currency) : '';
  const times = alert.times > 1 ? t('pit.movedTimes', { times: alert.times }) : '';
  const who = t('pit.movedBy', { people: list(alert.people.map(postName)) });
  return [what, sum, times, who].filter(Boolean).join(' ');
}

/** Say which patron, wager, amount and cards a report names; nothing where it names none. */
export function namedInReport(
  told: Pick<ToldFacts, 'patron' | 'wager' | 'amount' | 'underpaid' | 'cards'>,
  { currency, wagers }: View['setup'],
): string {
  const cards = (told.cards ?? []).map((card) => (card ? `${rank(card)}${suit(card)}` : '?')).join(' ');
  const sum = told.amount ? inFull(told.amount, currency) : '';
  const less = told.amount && told.underpaid ? t('case.tooLittle', { amount: sum }) : sum;
  return [told.patron, told.wager ? wagerById(told.wager, wagers) : '', less, cards].filter(Boolean).join(' · ');
}

/** Say what a command does that two people stand for; nothing where the page behind the question shows all of it. */
export function approving(command: TableCommand, setup: View['setup']): string {
  const { currency, wagers } = setup;
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
    case 'report-irregularity': {
      const named = [namedInReport(command, setup), command.note].filter(Boolean).join('. ');
      return t('case.approveReport', { situation: say(`situation.${command.situation}`), named });
    }
    case 'find-wager':
      return t('dealer.approveFound', {
        found: `${command.patron} · ${on(command.wager)} ${inFull(command.amount, currency)}`,
      });
    case 'buy-credits':
    case 'cash-out':
      return t(command.type === 'buy-credits' ? 'pit.approveSale' : 'pit.approveCashOut', {
        patron: command.terminal,
        amount: inFull(command.amount, currency),
      });
    case 'answer-offer':
      return command.withdraw ? t('dealer.approveWithdrawal', { patron: command.patron }) : '';
    case 'decide-dispute':
      return t('dealer.approveDecision', {
        id: command.id,
        decision: command.decision,
        award: inFull(command.award ?? 0, currency),
      });
    case 'count-opener':
      return t('pit.approveCount', { act: t('pit.countOpener'), sum: saySum(command.count, currency) });
    case 'count-closer':
      return t('pit.approveCount', { act: t('pit.countCloser'), sum: saySum(command.count, currency) });
    case 'fill-chips':
      return t('pit.approveCount', { act: t('pit.fillChips'), sum: saySum(command.count, currency) });
    case 'return-chips':
      return t('pit.approveCount', { act: t('pit.returnChips'), sum: saySum(command.count, currency) });
    case 'count-drop':
      return t('pit.approveCount', { act: t('pit.countDrop'), sum: saySum(command.count, currency) });
    case 'buy-chips':
      return t('pit.approveChips', { patron: command.patron, amount: inFull(command.amount, currency) });
    case 'void-slip':
      return t('pit.approveVoid', { number: command.slip });
    case 'pay-award':
      return t('dealer.approvePayment', { id: command.id });
    default:
      return '';
  }
}
