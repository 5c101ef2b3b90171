/** Cards as a dealer types them: a rank and a suit such as 9h, ts or 10d, one after another without a space. */
import type { Card, Rank, Suit } from '../../api/types.ts';
import { parseWhole } from '../../lib/amount.ts';

export const SUITS: Suit[] = ['S', 'H', 'D', 'C'];
export const RANKS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] as Rank[];
const TYPED: Record<string, number> = { a: 1, t: 10, '0': 10, j: 11, q: 12, k: 13 };
const SIGNS: Record<string, Suit> = { s: 'S', h: 'H', d: 'D', c: 'C', '♠': 'S', '♥': 'H', '♦': 'D', '♣': 'C' };
/** Typed for a card that stays face down. */
const DOWN = 'x';

/** A card, or nothing for one that stays face down. */
export type Entered = Card | null;

/** What was typed: the cards that are complete, what is left over, and whether that can become a card. */
export interface Typed {
  cards: Entered[];
  rest: string;
  fits: boolean;
}

/** Read what was typed. */
export function typed(text: string): Typed {
  const cards: Entered[] = [];
  let rest = text.toLocaleLowerCase().replaceAll(/[\s,]+/g, '');
  for (;;) {
    const found = /^(10|[1-9atjqk0])([shdc♠♥♦♣])/.exec(rest);
    if (found?.[1] && found[2]) {
      cards.push({ rank: rankOf(found[1]), suit: SIGNS[found[2]] ?? null });
      rest = rest.slice(found[0].length);
    } else if (rest.startsWith(DOWN)) {
      cards.push(null);
      rest = rest.slice(DOWN.length);
    } else {
      return { cards, rest, fits: /^(10|[1-9atjqk0])?$/.test(rest) };
    }
  }
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
  return (TYPED[text] ?? parseWhole(text, 1, 10)) as Rank;
}
