/** A dealer's console at one table: what the table shows, and how commands go there, approved where need be. */
import type { Credentials, TableCommand, View } from '../../api/types.ts';
import { isRefused } from '../../lib/api.ts';
import type { Answer, Live, TableLive } from '../../lib/live.svelte.ts';
import { noteRefusal } from '../../lib/notes.svelte.ts';

/** A command that waits for a second person. */
export interface Asking {
  command: TableCommand;
  post: string | null;
  clauses: string[];
  answered: (answer: Answer | null) => void;
}

type Section<Name extends keyof View> = NonNullable<View[Name]>;

/** One table at a console. */
export class Console {
  /** A command for which somebody must stand behind the dealer. */
  asking = $state.raw<Asking | null>(null);
  /** How many commands of this console are on the way. */
  sending = $state(0);
  /** Cards are dealt although the differential is exceeded. */
  despite = $state(false);
  readonly live: Live;
  readonly table: TableLive;

  constructor(live: Live, name: string) {
    this.live = live;
    this.table = live.table(name);
  }

  /** The table as staff see it, once it is there whole. */
  get view(): View | null {
    const view = this.table.view;
    return view?.desk && view.rules && view.people && view.wagers && view.alerts && view.settlement ? view : null;
  }

  /** A section of the view; only asked where the view is there. */
  section<Name extends keyof View>(name: Name): Section<Name> {
    const found = this.table.view?.[name];
    if (!found) throw new Error(`the view has no ${name}`);
    return found as Section<Name>;
  }

  /** The name of whoever is signed in. */
  get name(): string {
    return this.live.me?.name ?? '';
  }

  /** The posts in which that person is on duty at this table. */
  get posts(): string[] {
    const people = this.view?.people;
    const now = this.live.now();
    const acting = people?.acting.filter((each) => Date.parse(each.start) <= now && now < Date.parse(each.end)) ?? [];
    return [...(people?.staff ?? []), ...acting].filter((each) => each.person === this.name).map((each) => each.post);
  }

  /** Those on duty here in a post or a higher one, besides whoever sits at the console. */
  inPost(post: string | null): string[] {
    const ladder = this.view?.rules?.posts ?? [];
    const least = post === null ? 0 : ladder.indexOf(post);
    return (this.view?.people?.staff ?? [])
      .filter((each) => each.person !== this.name && ladder.indexOf(each.post) >= least)
      .map((each) => each.person);
  }

  /** Whether commands are taken now. */
  get ready(): boolean {
    return this.live.ready;
  }

  /** Send a command; where it belongs to another post a second person is asked for. Whether it was done. */
  async do(command: TableCommand, post: string | null = null): Promise<boolean> {
    this.sending += 1;
    let answer: Answer | null = null;
    const own = post === null || this.#reaches(post);
    if (own) answer = await this.live.command(this.table.name, command);
    if (!own || (isRefused(answer) && answer.reason === 'not-authorised')) {
      answer = await this.#approved(
        command,
        isRefused(answer) ? postIn(answer) : post,
        isRefused(answer) ? answer.clauses : [],
      );
    }
    this.sending -= 1;
    if (isRefused(answer)) noteRefusal(answer);
    return answer !== null && !isRefused(answer);
  }

  /** Send a command with somebody's credentials behind it. */
  send(command: TableCommand, credentials: Credentials, comesAs?: string): Promise<Answer> {
    return this.live.command(this.table.name, command, credentials, comesAs);
  }

  /** Whether this person's own post may be enough; the server decides. */
  #reaches(post: string): boolean {
    const ladder = this.view?.rules?.posts ?? [];
    return this.posts.some((own) => ladder.indexOf(own) >= ladder.indexOf(post));
  }

  #approved(command: TableCommand, post: string | null, clauses: string[]): Promise<Answer | null> {
    return new Promise((resolve) => {
      this.asking = {
        command,
        post,
        clauses,
        answered: (answer) => {
          this.asking = null;
          resolve(answer);
        },
      };
    });
  }
}

/** The post that a refusal names. */
function postIn(refused: { params: [string, string | number][] }): string | null {
  const named = refused.params.find(([name]) => name === 'post')?.[1];
  return typeof named === 'string' ? named.replace(/^@post\./, '') : null;
}
