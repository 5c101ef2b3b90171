/** Cards as a dealer types them: a rank and a suit such as 9h, ts or 10d, one after another without a space. */
import type { Card, Hand, Rank, Suit } from '../api/types.ts';

export const SUITS: Suit[] = ['S', 'H', 'D', 'C'];
export const RANKS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] as Rank[];
const TYPED: Record<string, number> = { a: 1, t: 10, '0': 10, j: 11, q: 12, k: 13 };
const SIGNS: Record<string, Suit> = { s: 'S', h: 'H', d: 'D', c: 'C', '♠': 'S', '♥': 'H', '♦': 'D', '♣': 'C' };
/** Typed for a card that stays face down. */
const DOWN = 'x';

/** A card, or nothing for one that stays face down. */
export type Entered = Card | null;

/** Cards that come out at once: one, or several together; where they were put, where that was said. */
export interface Draw {
  cards: Entered[];
  hand: Hand | null;
  /** Whether the order of cards that came together is known. */
  order: 'known' | 'unknown' | null;
}

/** The result of typing: the cards that are complete, what is left over, and whether that can become a card. */
export interface Typed {
  cards: Entered[];
  draws: Draw[];
  rest: string;
  fits: boolean;
}

/** Typed after a card for the hand that it was put to, and between cards that came together. */
const HANDS: Record<string, Hand> = { p: 'player', b: 'banker' };
const TOGETHER: Record<string, Draw['order']> = { '+': 'unknown', '>': 'known' };

/** Read what was typed: `9hb` was put to Banker, `5h>9d` came together in this order, `5h+9d` in an unknown one. */
export function typed(text: string): Typed {
  const draws: Draw[] = [];
  let rest = text.toLocaleLowerCase().replaceAll(/[\s,]+/g, '');
  let joins = '';
  for (;;) {
    const found = /^(10|[1-9atjqk0])([shdc♠♥♦♣])/.exec(rest);
    const last = draws.at(-1);
    const next = rest.charAt(0);
    if (found?.[1] && found[2]) {
      lay(draws, { rank: rankOf(found[1]), suit: SIGNS[found[2]] ?? null }, joins);
      rest = rest.slice(found[0].length);
      joins = '';
    } else if (next === DOWN) {
      lay(draws, null, joins);
      rest = rest.slice(1);
      joins = '';
    } else if (last && !joins && next in TOGETHER) {
      joins = next;
      rest = rest.slice(1);
    } else if (last && !joins && next in HANDS) {
      last.hand = HANDS[next] ?? null;
      rest = rest.slice(1);
    } else {
      const fits = /^(10|[1-9atjqk0])?$/.test(rest);
      return { cards: draws.flatMap((each) => each.cards), draws, rest: joins + rest, fits };
    }
  }
}

function lay(draws: Draw[], card: Entered, joins: string): void {
  const last = draws.at(-1);
  if (joins && last) {
    last.cards.push(card);
    last.order = last.order === 'unknown' ? 'unknown' : (TOGETHER[joins] ?? null);
  } else draws.push({ cards: [card], hand: null, order: null });
}

/** Whether a card goes where the rules want it, as nearly all do. */
export function isPlain(draw: Draw): boolean {
  return draw.hand === null && draw.order === null;
}

/** Cards that came out at once as they are typed. */
export function spelledDraw({ cards, hand, order }: Draw): string {
  const between = order === 'known' ? '>' : '+';
  return cards.map(spelled).join(between) + (hand ? hand.charAt(0) : '');
}

/** A card as it is typed. */
export function spelled(card: Entered): string {
  if (card === null) return DOWN;
  const rank = Object.keys(TYPED).find((key) => key !== '0' && TYPED[key] === card.rank) ?? String(card.rank);
  return `${rank}${(card.suit ?? '').toLowerCase()}`;
}

/** Whether two cards are of the same rank and suit. */
export function same(one: Entered, other: Entered): boolean {
  return one?.rank === other?.rank && one?.suit === other?.suit;
}

/** The cards that are left when some are taken out of them. */
export function without(cards: Card[], taken: Entered[]): Card[] {
  const left = [...cards];
  for (const card of taken) {
    const at = left.findIndex((each) => same(each, card));
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

function rankOf(text: string): Rank {
  return (TYPED[text] ?? RANKS.find((each) => String(each) === text)) as Rank;
}
