/** The consoles that staff work at, and which one somebody goes to first by their posts. */

export const CONSOLES = [
  { path: '/dealer', title: 'dealer.title', icon: 'hand' },
  { path: '/pit', title: 'pit.title', icon: 'display' },
  { path: '/records', title: 'records.title', icon: 'records' },
  { path: '/training', title: 'dealer.training', icon: 'again' },
] as const;

const AT_TABLES = ['dealer', 'dealer-inspector'];
const READING = ['surveillance', 'auditor'];

/** Where somebody in these posts goes first. */
export function usualConsole(posts: string[]): (typeof CONSOLES)[number]['path'] {
  if (posts.some((post) => AT_TABLES.includes(post))) return '/dealer';
  return posts.every((post) => READING.includes(post)) ? '/records' : '/pit';
}
