/** Amounts, times and cards as people of a language write them. */
import type { Card, Currency, Pieces } from '../api/types.ts';
import { MOST_AMOUNT, typedForm, type AmountFault } from './amount.ts';
import { language, t } from './words.svelte.ts';

const SUITS = { S: '♠', H: '♥', D: '♦', C: '♣' } as const;
const RANKS = ['', 'A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];

/** An amount of minor units: whole amounts without decimal places, others with all of them. */
export function amount(minor: number, currency: Currency): string {
  const unit = 10 ** currency.exponent;
  const places = minor % unit === 0 ? 0 : currency.exponent;
  return number(minor / unit, places);
}

/** An amount with the code of its currency. */
export function money(minor: number, currency: Currency): string {
  return `${currency.code}\u00a0${amount(minor, currency)}`;
}

/** An amount with its currency and all decimals, as it is said back to whoever typed it. */
export function inFull(minor: number, currency: Currency): string {
  return `${currency.code}\u00a0${number(minor / 10 ** currency.exponent, currency.exponent)}`;
}

/** The exact sum of chips or notes that were counted, with its currency. */
export function saySum(count: Pieces[], currency: Currency): string {
  return inFull(
    count.reduce((sum, each) => sum + each.value * each.number, 0),
    currency,
  );
}

/** How an amount of a currency is typed. */
export function howToType({ exponent }: Currency): string {
  const whole = '1500';
  const decimals = `${whole}.${'50'.padEnd(exponent, '0').slice(0, exponent)}`;
  return exponent === 0 ? t('amount.howWhole', { whole }) : t('amount.how', { whole, decimals });
}

/** Why a text is no amount of a currency, and what to type. */
export function sayAmountFault(fault: AmountFault, currency: Currency): string {
  const how = howToType(currency);
  const { code, exponent } = currency;
  if (fault === 'empty') return how;
  if (fault === 'decimals' && exponent === 0) return t('amount.noDecimals', { currency: code, how });
  const most = typedForm(MOST_AMOUNT, currency);
  return t(`amount.${fault}`, { how, currency: code, count: exponent, most });
}

/** Why a text is no whole number that is asked for, and what to type. */
export function sayWholeFault(least: number, most: number): string {
  return t('amount.wholeNumber', { least, most });
}

/** A large amount in few letters, as chips have it: 500, 1K, 25K, 2.5M. */
export function short(minor: number, currency: Currency): string {
  const value = minor / 10 ** currency.exponent;
  for (const [unit, letter] of [
    [1e6, 'M'],
    [1e3, 'K'],
  ] as const) {
    if (value >= unit) return `${+(value / unit).toFixed(2)}${letter}`;
  }
  return String(value);
}

/** A number with so many decimal places. */
export function number(value: number, places = 0): string {
  const form = { minimumFractionDigits: places, maximumFractionDigits: places };
  return new Intl.NumberFormat(language(), form).format(value);
}

/** A number that a document prints, such as 0.95, with the decimal mark of the language. */
export function printedNumber(text: string): string {
  return text.replaceAll('.', number(0.5, 1).replace(/\d/g, ''));
}

/** A share in per cent with two decimal places. */
export function share(value: number): string {
  const form = { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(language(), form).format(value).replace('-', '−');
}

/** The time of day of an instant in microseconds. */
export function time(instant: number): string {
  return new Intl.DateTimeFormat(language(), { timeStyle: 'medium' }).format(instant / 1000);
}

/** The day and time of an instant in microseconds. */
export function dateTime(instant: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'medium' }).format(instant / 1000);
}

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
const EXACT = { ...CLOCK, fractionalSecondDigits: 3 } as const;
const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const;

/** The time of day of an instant in microseconds, to the millisecond. */
export function exactTime(instant: number): string {
  return new Intl.DateTimeFormat(language(), EXACT).format(instant / 1000);
}

/** The day and time of an instant in microseconds, to the millisecond and with the time zone. */
export function exactDateTime(instant: number): string {
  return new Intl.DateTimeFormat(language(), { ...DAY, ...EXACT, timeZoneName: 'short' }).format(instant / 1000);
}

/** The time zone in which this browser shows and reads times. */
export function zoneName(): string {
  return new Intl.DateTimeFormat(language()).resolvedOptions().timeZone;
}

/** The instant in microseconds that a field for a day and a time has; nothing where it is empty. */
export function instantOf(local: string): number | null {
  const found = Date.parse(local);
  return Number.isNaN(found) ? null : found * 1000;
}

/** A list, as in "Player, Banker and Tie". */
export function list(items: string[]): string {
  return new Intl.ListFormat(language(), { type: 'conjunction' }).format(items);
}

/** All of some, as in "Player, Banker and Tie". */
export function allOf(items: string[]): string {
  return new Intl.ListFormat(language(), { type: 'conjunction' }).format(items);
}

/** Alternatives, as in "Player, Banker or Tie". */
export function oneOf(items: string[]): string {
  return new Intl.ListFormat(language(), { type: 'disjunction' }).format(items);
}

/** The rank of a card as it is printed. */
export function rank(card: Card): string {
  return RANKS[card.rank] ?? '';
}

/** The suit of a card as a sign, empty where nobody needs it. */
export function suit(card: Card): string {
  return card.suit ? SUITS[card.suit] : '';
}
