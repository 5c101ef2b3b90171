/** The last outcome stays on the wall while wagers are taken for the next round. */
import type { CardsSection, OutcomeSection, View } from '../../api/types.ts';

interface Shown {
  outcome: OutcomeSection;
  cards: CardsSection;
}

const NO_CARDS: CardsSection = {
  cards: [],
  player: null,
  banker: null,
  held: [],
  first: null,
  drawing: [],
  announced: false,
};

/** The round to show of a table: its current one from the first card on, until then the one before it. */
export class LastRound {
  #view: () => View | null;
  #kept = $state.raw<Shown | null>(null);

  constructor(view: () => View | null) {
    this.#view = view;
    $effect(() => {
      const now = this.#view();
      if (now && (now.outcome.called !== null || now.outcome.void)) {
        this.#kept = { outcome: now.outcome, cards: now.cards };
      }
    });
  }

  /** The round to show; one that ended before this display was here is known from the bead plate alone. */
  get shown(): Shown {
    const now = this.#view();
    if (now === null) return { outcome: nothing(null), cards: NO_CARDS };
    const begun = now.cards.cards.length > 0 || now.outcome.facts !== null || now.outcome.void;
    if (begun) return { outcome: now.outcome, cards: now.cards };
    const bead = now.scoreboard.bead_plate.at(-1)?.content;
    if (bead === undefined) return { outcome: nothing(now.outcome.round), cards: NO_CARDS };
    return this.#kept ?? { outcome: { ...nothing(null), called: bead.winner, marks: bead.marks }, cards: NO_CARDS };
  }
}

function nothing(round: number | null): OutcomeSection {
  return { round, facts: null, called: null, marks: [], void: false, ended: false };
}
