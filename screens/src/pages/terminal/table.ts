/** The table from above: its edge, and where its positions lie, counted counter-clockwise from the Dealer's right. */

export interface Seat {
  number: number;
  x: number;
  y: number;
}

export interface Plan {
  edge: string;
  /** Lines on the cloth: the bands of Player, Banker and Tie, and what divides positions. */
  bands: { name: 'player' | 'banker' | 'tie'; path: string }[];
  dividers: string;
  seats: Seat[];
}

const LONG = 9; // above so many positions a table is long, with straighter sides
const NARROW = 620; // pixels below which positions lie along the lower edge, and cards above them
const MARGIN = { wide: 0.1, narrow: 0.29 }; // of the way around, at both ends, where nobody sits
const BANDS = [
  ['player', 0.92, 0.83],
  ['banker', 0.83, 0.75],
  ['tie', 0.75, 0.68],
] as const;

/** A table of a width and a height in pixels, seen from the patrons' side. */
export function planOf(positions: number, width: number, height: number): Plan {
  const power = positions > LONG ? 2 / 3.2 : 2 / 2.3;
  const [middle, across, down] = [width / 2, width / 2 - 6, height - 16];
  const point = (turn: number, scale: number): [number, number] => {
    const [x, y] = [Math.cos(turn), Math.sin(turn)];
    return [middle - Math.sign(x) * Math.abs(x) ** power * across * scale, Math.abs(y) ** power * down * scale];
  };
  const curve = (from: number, to: number, scale: number): [number, number][] =>
    Array.from({ length: 49 }, (_, at) => point(from + ((to - from) * at) / 48, scale));
  const margin = MARGIN[width < NARROW ? 'narrow' : 'wide'];
  const [first, last] = [margin * Math.PI, (1 - margin) * Math.PI];
  const step = (last - first) / Math.max(positions, 1);
  const seats = Array.from({ length: positions }, (_, at) => {
    const [x, y] = point(first + step * (at + 0.5), 1);
    return { number: at + 1, x, y };
  });
  const bands = BANDS.map(([name, outer, inner]) => ({
    name,
    path: closed([...curve(first, last, outer), ...curve(last, first, inner)]),
  }));
  const dividers = Array.from({ length: positions + 1 }, (_, at) => {
    const turn = first + step * at;
    return `M${text(point(turn, BANDS[0][1]))}L${text(point(turn, BANDS[2][2]))}`;
  }).join('');
  return { edge: closed(curve(0, Math.PI, 1)), bands, dividers, seats };
}

function closed(points: [number, number][]): string {
  return `M${points.map(text).join('L')}Z`;
}

function text([x, y]: [number, number]): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
