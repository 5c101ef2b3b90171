/** The words of a terminal about pays and results, from what the server says of them. */
import type {
  Currency,
  Fact,
  Pay,
  SettledWager,
  SetupSection,
  WagerHandedBackMoment,
  WagerOffered,
} from '../../../api/types.ts';
import { amount } from '../../../lib/format.ts';
import { oddsText, wagerById } from '../../../lib/names.ts';
import type { Refused } from '../../../lib/api.ts';
import { named, say, t } from '../../../lib/words.svelte.ts';

/** A fact that a pay row asks for. */
export function factText({ name, values }: Fact): string {
  const told = values.every((value) => typeof value === 'number')
    ? spans(values)
    : values.map((value) =>
        typeof value === 'boolean' ? say(value ? 'fact.yes' : 'fact.no') : named(name, String(value)),
      );
  return say(`fact.${name}`, { value: told.join(say('fact.or')) });
}

/** Numbers with those that follow each other as one: 1–5, 7–9. */
function spans(numbers: number[]): string[] {
  const found: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`));
}

/** When a row pays. */
export function whenText(pay: Pay): string {
  return pay.when.length === 0 ? say('fact.any') : pay.when.map(factText).join(' · ');
}

/** Why a wager was refused, with its name in the language spoken. */
export function refusalText(refused: Refused, { wagers }: SetupSection): string {
  const params = Object.fromEntries(refused.params);
  const wager = 'wager' in params ? { wager: wagerById(String(params['wager']), wagers) } : {};
  return say(`refusal.${refused.reason}`, { ...params, ...wager });
}

/** Return the pay of a row: its odds, or that the wager stands off. */
export function paysText(pay: Pay): string {
  return pay.odds ? oddsText(pay.odds) : say('result.stood-off');
}

/** The row by which a wager was settled; none where it lost. */
export function decidingRow(settled: SettledWager, wager: WagerOffered | undefined): Pay | null {
  const same = (pay: Pay) =>
    pay.odds === settled.odds && pay.clauses.every((clause) => settled.clauses.includes(clause));
  return settled.result === 'lost' ? null : (wager?.pays.find(same) ?? null);
}

/** How the amounts of a settled wager come about, step by step. */
export function workedText(settled: SettledWager, currency: Currency): string[] {
  const money = (minor: number) => amount(minor, currency);
  const { stake, in_action, paid, back, commission, taken, odds } = settled;
  const lines: string[] = [];
  if (in_action !== stake) lines.push(t('terminal.workedPart', { part: money(in_action), stake: money(stake) }));
  if (settled.result === 'won' && odds) {
    lines.push(t('terminal.workedWon', { stake: money(in_action), odds: oddsText(odds), paid: money(paid) }));
    if (commission > 0)
      lines.push(t('terminal.workedCommission', { gross: money(paid + commission), commission: money(commission) }));
    if (settled.rounded_over !== 0) lines.push(t('terminal.workedRounded'));
    lines.push(t('terminal.workedBack', { stake: money(back), paid: money(paid), back: money(back + paid) }));
  } else if (settled.result === 'lost') {
    lines.push(t('terminal.workedLost', { taken: money(taken) }));
    if (back > 0) lines.push(t('terminal.workedReturned', { back: money(back) }));
  } else {
    lines.push(t('terminal.workedReturned', { back: money(back) }));
  }
  return lines;
}

/** Why chips were handed back, as a refusal would say it. */
export function handedBack(moment: WagerHandedBackMoment, { wagers, currency }: SetupSection): Refused {
  const wager = wagers.find((each) => each.id === moment.wager);
  const params: Refused['params'] = [
    ['wager', moment.wager],
    ['least', amount(wager?.minimum ?? 0, currency)],
    ['most', amount(wager?.maximum ?? 0, currency)],
  ];
  const reason = moment.why as Refused['reason'];
  return { type: 'refused', reason, clauses: moment.clauses ?? [], message: '', params };
}
