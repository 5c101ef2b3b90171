/** Texts that people write: the server refuses those that say nothing, and those that are too long. */

/** How many characters a text has at most. */
export const LONGEST_TEXT = 1000;

/** Whether a text says anything: it has a letter or a digit of any script. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
