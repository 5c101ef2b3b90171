/** The games at which one can train by seed, as the server tells them. */
import type { TrainedGame, TrainedGamesAnswer } from '../../api/types.ts';
import { get, isRefused } from '../../lib/api.ts';
import { noteRefusal } from '../../lib/notes.svelte.ts';

/** The largest seed that the server takes. */
export const MOST_SEED = 999_999_999;
/** The rounds that an exercise can have. */
export const MOST_ROUNDS = 20;

/** The games, once they are loaded. */
export class TrainedGames {
  games = $state.raw<TrainedGame[]>([]);

  async load(): Promise<void> {
    if (this.games.length > 0) return;
    const answer = await get<TrainedGamesAnswer>('/training/games', 'staff');
    if (isRefused(answer)) noteRefusal(answer);
    else this.games = answer.games;
  }

  /** The game of an id, else the first one. */
  chosen(game: string): TrainedGame | undefined {
    return this.games.find((each) => each.game === game) ?? this.games[0];
  }
}
