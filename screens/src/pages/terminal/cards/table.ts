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
  ['player', 0.935, 0.875],
  ['banker', 0.875, 0.815],
  ['tie', 0.815, 0.76],
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
  const turns = evenly(curve(first, last, 1), positions, first, last);
  const seats = turns.map(({ middle }, at) => {
    const [x, y] = point(middle, 1);
    return { number: at + 1, x, y };
  });
  const bands = BANDS.map(([name, outer, inner]) => ({
    name,
    path: closed([...curve(first, last, outer), ...curve(last, first, inner)]),
  }));
  const dividers = [...turns.map(({ from }) => from), last]
    .map((turn) => `M${text(point(turn, BANDS[0][1]))}L${text(point(turn, BANDS[2][2]))}`)
    .join('');
  return { edge: closed(curve(0, Math.PI, 1)), bands, dividers, seats };
}

/** Divides a curve into parts of the same length: by which turn each begins, and its middle. */
function evenly(
  points: [number, number][],
  parts: number,
  first: number,
  last: number,
): { from: number; middle: number }[] {
  const lengths = [0];
  for (let at = 1; at < points.length; at++) {
    const [[x, y], [u, v]] = [points[at - 1] ?? [0, 0], points[at] ?? [0, 0]];
    lengths.push((lengths.at(-1) ?? 0) + Math.hypot(u - x, v - y));
  }
  const turn = (share: number): number => {
    const wanted = share * (lengths.at(-1) ?? 0);
    const next = Math.max(
      1,
      lengths.findIndex((length) => length >= wanted),
    );
    const [before = 0, after = 1] = [lengths[next - 1], lengths[next]];
    const at = next - 1 + (wanted - before) / Math.max(after - before, 1e-9);
    return first + ((last - first) * at) / (points.length - 1);
  };
  return Array.from({ length: parts }, (_, at) => ({ from: turn(at / parts), middle: turn((at + 0.5) / parts) }));
}

function closed(points: [number, number][]): string {
  return `M${points.map(text).join('L')}Z`;
}

function text([x, y]: [number, number]): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
