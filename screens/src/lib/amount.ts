/**
 * Amounts and whole numbers as people type them, read exactly or refused, never guessed.
 *
 * An amount is digits and, where the currency has decimals, a point and at most so many of them. No sign, no space, no
 * comma: 1,50 and 1,000 mean different things to different people. The server reads amounts by the same grammar.
 */
import type { Currency } from '../api/types.ts';

/** Why a text is no amount; each has its sentence. */
export type AmountFault =
  'empty' | 'separator' | 'decimals' | 'point' | 'leading-zero' | 'sign' | 'too-large' | 'zero' | 'form';

/** Why a text is no whole number that is asked for. */
export type WholeFault = 'empty' | 'form' | 'range';

/** The digits that an amount in minor units has at most. */
const MOST_DIGITS = 14;
export const MOST_AMOUNT = 10 ** MOST_DIGITS - 1;

const AMOUNT = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;
const WHOLE = /^(?:0|[1-9][0-9]{0,14})$/;
/** Signs that people put between thousands or before decimals. */
const SEPARATED = /^[0-9\s.,'’_،٫٬、，]+$/;

/** The minor units of an amount, or why it is none. */
export function parseAmount(text: string, { exponent }: Currency): number | AmountFault {
  const found = AMOUNT.exec(text);
  if (!found?.[1]) return faultOf(text);
  const [, whole, places = ''] = found;
  if (places.length > exponent) return 'decimals';
  if (whole.length + exponent > MOST_DIGITS) return 'too-large';
  return Number(whole + places.padEnd(exponent, '0'));
}

/** The minor units of an amount above zero, or why it is none. */
export function parsePositive(text: string, currency: Currency): number | AmountFault {
  const minor = parseAmount(text, currency);
  return minor === 0 ? 'zero' : minor;
}

/** A whole number within bounds, or why it is none. */
export function parseWhole(text: string, least: number, most: number): number | WholeFault {
  if (text === '') return 'empty';
  if (!WHOLE.test(text)) return 'form';
  const value = Number(text);
  return value < least || value > most ? 'range' : value;
}

/** Minor units as they are typed: whole amounts without decimals, others with all of them. */
export function typedForm(minor: number, { exponent }: Currency): string {
  const digits = String(minor).padStart(exponent + 1, '0');
  const at = digits.length - exponent;
  const [whole, places] = [digits.slice(0, at), digits.slice(at)];
  return /[1-9]/.test(places) ? `${whole}.${places}` : whole;
}

function faultOf(text: string): AmountFault {
  if (text === '') return 'empty';
  if (/^[0-9]+(?:\.[0-9]+)?$/.test(text)) return 'leading-zero';
  if (/^[0-9]*\.[0-9]*$/.test(text)) return 'point';
  if (/^[-+−][0-9.]+$/.test(text)) return 'sign';
  return SEPARATED.test(text) ? 'separator' : 'form';
}
