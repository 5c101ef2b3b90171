/** The felt as rows and columns: who stands or sits where, what lies there, and which letter stands for which wager. */
import type {
  Patron,
  PeopleSection,
  PlacedWager,
  SetupSection,
  WagerEntry,
  WagerOffered,
  WagersSection,
} from '../../../api/types.ts';

/** A line of the felt: a patron at a position; without a patron an empty position. */
export interface Line {
  /** By place and not by name, so that a cell stays where it is while somebody comes. */
  key: string;
  position: number | null;
  patron: Patron | null;
  /** The first line of its position. */
  first: boolean;
}

/** The lines of the felt, position by position, seated before standing. */
export function linesOf(setup: SetupSection, people: PeopleSection, wagers: WagersSection): Line[] {
  const places = new Map<number | null, Patron[]>();
  for (let position = 1; position <= setup.positions; position += 1) places.set(position, []);
  for (const patron of [true, false].flatMap((seated) => people.patrons.filter((each) => each.seated === seated))) {
    if (!patron.gone || wagers.lying.some((each) => each.patron === patron.name)) put(places, patron.position, patron);
  }
  for (const wager of wagers.lying) {
    const patron = people.patrons.find((each) => each.name === wager.patron);
    put(
      places,
      wager.position,
      patron ?? { name: wager.patron, position: null, seated: false, marked: null, gone: true },
    );
  }
  return [...places].flatMap(([position, patrons]) =>
    (patrons.length === 0 ? [null] : patrons).map((patron, at) => ({
      key: `${position}#${at}`,
      position,
      patron,
      first: at === 0,
    })),
  );
}

function put(places: Map<number | null, Patron[]>, position: number | null, patron: Patron): void {
  const there = places.get(position) ?? [];
  if (!there.some((each) => each.name === patron.name)) places.set(position, [...there, patron]);
}

/** Return the wagers of the last round that do not lie there yet, and the patrons of others who are gone. */
export function lastWagers(people: PeopleSection, wagers: WagersSection): { again: WagerEntry[]; gone: string[] } {
  const here = new Set(people.patrons.filter(({ gone }) => !gone).map(({ name }) => name));
  const same = (a: WagerEntry, b: PlacedWager): boolean =>
    a.patron === b.patron && a.position === b.position && a.wager === b.wager;
  const lay = wagers.last.filter((each) => each.amount > 0 && !wagers.lying.some((lying) => same(each, lying)));
  return {
    again: lay.filter(({ patron }) => here.has(patron)),
    gone: [...new Set(lay.map(({ patron }) => patron).filter((patron) => !here.has(patron)))],
  };
}

/** Return a patron's wagers of one kind at a position. */
export function lyingAt(wagers: WagersSection, line: Line, wager: string): PlacedWager[] {
  return wagers.lying.filter(
    (each) => each.patron === line.patron?.name && each.position === line.position && each.wager === wager,
  );
}

/** A letter for each wager: the first of its own letters that no other has; never E, since 1e3 is no wager of 1. */
export function lettersOf(wagers: WagerOffered[]): Map<string, string> {
  const taken = new Set<string>(['e']);
  const letters = new Map<string, string>();
  for (const wager of wagers) {
    const own = [...initials(wager.id), ...wager.id.replaceAll('-', ''), ...'abcdefghijklmnopqrstuvwxyz'];
    const letter = own.find((each) => !taken.has(each)) ?? '';
    taken.add(letter);
    letters.set(wager.id, letter);
  }
  return letters;
}

/** The first letters of the words of an id, the last word first: big-tiger is known by its b before its t. */
function initials(id: string): string[] {
  return id.split('-').map((word) => word.charAt(0));
}
