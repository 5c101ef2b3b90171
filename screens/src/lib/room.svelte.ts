/** The light of the room: bright, or dim as at most tables; chosen once in a browser. */

export type Room = 'light' | 'dim';

const KEPT = 'thirdcard-room';
let current = $state<Room>('dim');

/** The light of the room now. */
export function room(): Room {
  return current;
}

/** Draw for a room from now on. */
export function lightFor(chosen: Room): void {
  current = chosen;
  document.documentElement.dataset['room'] = chosen;
  try {
    localStorage.setItem(KEPT, chosen);
  } catch {
    // then the usual one comes back the next time
  }
}

/** The room that was chosen here before, or else the usual one of a screen. */
export function usualRoom(otherwise: Room | 'system'): Room {
  try {
    const kept = localStorage.getItem(KEPT);
    if (kept === 'light' || kept === 'dim') return kept;
  } catch {
    // a browser may forbid it
  }
  if (otherwise !== 'system') return otherwise;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dim' : 'light';
}

/** Draw for the usual room without remembering it. */
export function beginIn(usual: Room): void {
  current = usual;
  document.documentElement.dataset['room'] = usual;
}
