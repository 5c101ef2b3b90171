/** Amounts, times and cards as people of a language write them. */
import type { Card, Currency } from '../api/types.ts';
import { language } from './words.svelte.ts';

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

/** The time of day of an instant in microseconds. */
export function time(instant: number): string {
  return new Intl.DateTimeFormat(language(), { timeStyle: 'medium' }).format(instant / 1000);
}

/** The day and time of an instant in microseconds. */
export function dateTime(instant: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'medium' }).format(instant / 1000);
}

/** A list, as in "Player, Banker and Tie". */
export function list(items: string[]): string {
  return new Intl.ListFormat(language(), { type: 'conjunction' }).format(items);
}

/** The rank of a card as it is printed. */
export function rank(card: Card): string {
  return RANKS[card.rank] ?? '';
}

/** The suit of a card as a sign, empty where nobody needs it. */
export function suit(card: Card): string {
  return card.suit ? SUITS[card.suit] : '';
}
