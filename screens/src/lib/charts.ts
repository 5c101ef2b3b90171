/** The measures of charts: where values come to lie, and round numbers for their scales. */

/** The round numbers of a scale from the least value to the most, at most so many steps. */
export function ticksOf(least: number, most: number, steps = 4): number[] {
  const [low, high] = [Math.min(least, 0), Math.max(most, 0)];
  const span = high - low || 1;
  const rough = span / steps;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * unit).find((each) => each >= rough) ?? rough;
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
}

/** The place of a value between the first and the last number of a scale. */
export function placeOf(value: number, ticks: number[], from: number, to: number): number {
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  return from + ((value - low) / (high - low || 1)) * (to - from);
}

/** About how wide a text is, in pixels of a font of so many. */
export function widthOf(text: string, size = 12): number {
  return [...text].reduce((sum, letter) => sum + (letter > '\u2e7f' ? 1 : 0.6), 0) * size;
}

/** The places in a row of labels that fit beside each other: every one, or every second, third … */
export function everyNth(labels: number, width: number, label: number): number {
  return Math.max(1, Math.ceil((labels * label) / Math.max(width, 1)));
}
