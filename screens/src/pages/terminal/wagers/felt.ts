/**
 * Where the playing areas of one position lie: rows of a felt that curves around the Dealer. The server says which
 * areas lie in which row.
 */
import type { FeltRows } from '../../../api/types.ts';

/** A playing area: its outline, and the box in which its words and chips stand. */
export interface Area {
  wager: string;
  path: string;
  left: number;
  top: number;
  width: number;
  height: number;
  /** By how much it leans, in degrees. */
  turn: number;
}

export interface Place {
  width: number;
  height: number;
  /** By how much everything written on it is larger than usual. */
  scale: number;
  areas: Area[];
}

const NARROW = 620; // pixels below which side wagers need two rows
const GAP = 5; // between areas
const ROUND = 9; // of corners
/** How high rows usually are, and how high they must be to be read and touched. */
const HEIGHTS = {
  side: { wide: 92, narrow: 77, least: 52 },
  hands: { wide: 124, narrow: 103, least: 66 },
};
const USUAL = 860; // pixels of width from which on everything grows with it
const LARGEST = 1.35; // times
const SMALLEST = 0.82;
const SAG = { least: 8, most: 34 }; // of the curve
/** The widths of the hands among themselves; every other area has one share. */
const SHARES: Record<string, number> = { player: 1.3, banker: 1.3, tie: 0.9 };

/** The heights between which a felt of a width can be laid out. */
export function heightsOf(felt: FeltRows, width: number): { least: number; most: number } {
  const { rows, size } = rowsOf(felt, width);
  const whole = (of: 'wide' | 'narrow' | 'least') => rows.reduce((sum, row) => sum + HEIGHTS[kind(row)][of], GAP);
  return { least: whole('least') + SAG.least, most: LARGEST * whole(size) + SAG.most };
}

function rowsOf(felt: FeltRows, width: number): { rows: string[][]; size: 'wide' | 'narrow' } {
  const size = width < NARROW ? 'narrow' : 'wide';
  return { rows: felt[size], size };
}

function kind(row: string[]): 'side' | 'hands' {
  return row.some((each) => each in SHARES) ? 'hands' : 'side';
}

/** The areas of a position on a felt of a width and a height in pixels, as they are on a usual screen. */
export function layOut(felt: FeltRows, width: number, height: number): Place {
  const { rows, size } = rowsOf(felt, width);
  const sag = Math.min(Math.max(Math.min(width * 0.045, height * 0.07), SAG.least), SAG.most);
  const usual = rows.map((row) => HEIGHTS[kind(row)][size]);
  const taller = (height - sag - GAP) / usual.reduce((sum, each) => sum + each, 0);
  const heights = usual.map((each) => each * taller);
  const scale = Math.min(Math.max(Math.min(Math.max(width / USUAL, 1), taller), SMALLEST), LARGEST);
  const half = width / 2;
  const radius = (half * half + sag * sag) / (2 * sag);
  const centre = height - radius; // of all arcs, far above the felt
  const areas: Area[] = [];
  let outer = radius;
  for (let at = rows.length - 1; at >= 0; at--) {
    const inner = outer - (heights[at] ?? 0);
    areas.unshift(...areasOf(rows[at] ?? [], { half, centre, inner, outer, reach: Math.asin(half / radius) }));
    outer = inner;
  }
  return { width, height, scale, areas };
}

interface Band {
  half: number;
  centre: number;
  inner: number;
  outer: number;
  reach: number;
}

function areasOf(row: string[], { half, centre, inner, outer, reach }: Band): Area[] {
  const shares = row.map((wager) => SHARES[wager] ?? 1);
  const whole = shares.reduce((sum, each) => sum + each, 0);
  let from = -reach;
  return row.map((wager, at) => {
    const to = from + (2 * reach * (shares[at] ?? 1)) / whole;
    const inset = (GAP / 2 + ROUND) / outer;
    const [left, right, low, high] = [from + inset, to - inset, outer - GAP / 2 - ROUND, inner + GAP / 2 + ROUND];
    const point = (r: number, angle: number): [number, number] => [
      half + r * Math.sin(angle),
      centre + r * Math.cos(angle),
    ];
    const [a, b, c, d] = [point(high, left), point(high, right), point(low, right), point(low, left)] as const;
    const path = `M${text(a)}A${high.toFixed(1)} ${high.toFixed(1)} 0 0 0 ${text(b)}L${text(c)}A${low.toFixed(1)} ${low.toFixed(1)} 0 0 1 ${text(d)}Z`;
    const middle = (from + to) / 2;
    const [x, y] = point((inner + outer) / 2, middle);
    const wide = (to - from) * inner - GAP;
    const tall = outer - inner - GAP;
    from = to;
    return {
      wager,
      path,
      left: x - wide / 2,
      top: y - tall / 2,
      width: wide,
      height: tall,
      turn: (-middle * 180) / Math.PI,
    };
  });
}

function text([x, y]: [number, number]): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

export const CORNER = ROUND;
