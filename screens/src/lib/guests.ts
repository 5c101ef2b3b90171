/** A name for somebody who sits down without giving one: a creature and a number, hard to meet twice. */

const CREATURES = ['Crane', 'Carp', 'Heron', 'Tiger', 'Swift', 'Otter', 'Panda', 'Gecko', 'Mynah', 'Ibis'];

/** A new name. */
export function guestName(): string {
  const [which = 0, number = 0] = crypto.getRandomValues(new Uint32Array(2));
  return `${CREATURES[which % CREATURES.length]} ${1000 + (number % 9000)}`;
}
