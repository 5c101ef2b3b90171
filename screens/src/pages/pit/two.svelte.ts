/** A second person who stands behind something at the same console. */
import type { Credentials } from '../../api/types.ts';
import type { Approval } from '../../lib/desk.svelte.ts';

/** Asks for a second person, one at a time. */
export class TwoPeople {
  /** The approval that is asked for now. */
  asking = $state.raw<Approval | null>(null);

  /** Have a second person stand behind something, who is told what it is; its answer, or nothing where nobody did. */
  ask<Answer extends object>(
    about: string,
    send: (credentials: Credentials) => Promise<Answer>,
  ): Promise<Answer | null> {
    return new Promise((done) => {
      this.asking = {
        post: null,
        clauses: [],
        about,
        send: (credentials) => send(credentials),
        answered: (answer) => {
          this.asking = null;
          done(answer as Answer | null);
        },
      };
    });
  }
}
