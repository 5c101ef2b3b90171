/** Cards that are typed and not sent yet, so that the hands can show where they will lie. */
import { getContext, setContext } from 'svelte';
import type { Entered } from './cards.ts';

/** What is typed at the moment. */
export class Typing {
  cards = $state.raw<Entered[]>([]);
}

const KEY = Symbol('typing');

/** Share what is typed with everything below. */
export function setTyping(typing: Typing): Typing {
  return setContext(KEY, typing);
}

/** What is typed. */
export function getTyping(): Typing {
  return getContext<Typing>(KEY);
}
