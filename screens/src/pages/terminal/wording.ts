/** What a terminal says about pays and results, from what the server says of them. */
import type { Currency, Fact, OwnLine, Pay, SettledWager, WagerOffered } from '../../api/types.ts';
import { amount } from '../../lib/format.ts';
import { oddsText, wagerById } from '../../lib/names.ts';
import { named, say, t } from '../../lib/words.svelte.ts';

/** A fact that a pay row asks for. */
export function factText({ name, values }: Fact): string {
  const told = values.map((value) => {
    if (typeof value === 'boolean') return say(value ? 'fact.yes' : 'fact.no');
    if (typeof value === 'number') return String(value);
    return named(name, value);
  });
  return say(`fact.${name}`, { value: told.join(say('fact.or')) });
}

/** When a row pays. */
export function whenText(pay: Pay): string {
  return pay.when.length === 0 ? say('fact.any') : pay.when.map(factText).join(' · ');
}

/** What a row pays: its odds, or that the wager stands off. */
export function paysText(pay: Pay): string {
  return pay.odds ? oddsText(pay.odds) : say('result.stood-off');
}

/** The sentence of the server about a settled wager, with names in the language spoken. */
export function whyText({ why }: OwnLine, offered: WagerOffered[]): string {
  const params = Object.fromEntries(why.params);
  return say(why.key, {
    ...params,
    wager: wagerById(String(params['wager']), offered),
    odds: oddsText(String(params['odds'] ?? '')),
  });
}

/** The row by which a wager was settled; none where it lost. */
export function decidingRow(settled: SettledWager, wager: WagerOffered | undefined): Pay | null {
  const same = (pay: Pay) => pay.odds === settled.odds && pay.clauses.every((clause) => settled.clauses.includes(clause));
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
    if (commission > 0) lines.push(t('terminal.workedCommission', { gross: money(paid + commission), commission: money(commission) }));
    if (settled.rounded_over !== 0) lines.push(t('terminal.workedRounded'));
    lines.push(t('terminal.workedBack', { stake: money(back - paid), paid: money(paid), back: money(back) }));
  } else if (settled.result === 'lost') {
    lines.push(t('terminal.workedLost', { taken: money(taken) }));
    if (back > 0) lines.push(t('terminal.workedReturned', { back: money(back) }));
  } else {
    lines.push(t('terminal.workedReturned', { back: money(back) }));
  }
  return lines;
}
