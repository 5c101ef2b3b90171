/** When cards that come together are to appear, one after the other. */
import type { CardShown } from '../../../api/types.ts';

const APART = 260; // milliseconds between two cards

export class Dealing {
  #before: CardShown[] = [];
  #delays: (number | null)[] = [];

  /** The delay of each card in milliseconds, or nothing for one that was there before. */
  delays(cards: CardShown[], animate: boolean): (number | null)[] {
    let later = 0;
    this.#delays = cards.map((card, at) => {
      const before = this.#before[at];
      const same = before !== undefined && before.hand === card.hand && (before.card == null) === (card.card == null);
      if (same) return this.#delays[at] ?? null;
      return animate ? APART * later++ : null;
    });
    this.#before = cards;
    return this.#delays;
  }
}
