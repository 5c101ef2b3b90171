/** A dealer's console at one table: what the table shows, and how commands go there, approved where need be. */
import type { Credentials, TableCommand, View } from '../../api/types.ts';
import { isRefused } from '../../lib/api.ts';
import type { Answer, Live, TableLive } from '../../lib/live.svelte.ts';
import { forget, note, noteRefusal } from '../../lib/notes.svelte.ts';
import { t } from '../../lib/words.svelte.ts';
import type { Entered } from './cards.ts';
import { Keys, type Step, type Work } from './keys.svelte.ts';
import { Settling } from './settling.svelte.ts';

/** A command that waits for a second person. */
export interface Asking {
  command: TableCommand;
  post: string | null;
  clauses: string[];
  answered: (answer: Answer | null) => void;
}

/** Commands that may interrupt the round. */
const INTERRUPTING: TableCommand['type'][] = ['report-irregularity', 'pause-table'];

/** Refusals that a second person can lift. */
const FOR_TWO = ['not-authorised', 'second-person-needed'];

type Section<Name extends keyof View> = NonNullable<View[Name]>;

/** One table at a console. */
export class Console {
  /** A command for which somebody must stand behind the dealer. */
  asking = $state.raw<Asking | null>(null);
  /** How many commands of this console are on the way. */
  sending = $state(0);
  /** The reason of the last refusal; nothing once a command was done. */
  refused = $state.raw<string | null>(null);
  /** Somebody says that something is wrong. */
  wrong = $state(false);
  /** Cards that are typed and not sent yet, so that the hands can show where they will lie. */
  typed = $state.raw<Entered[]>([]);
  readonly live: Live;
  readonly table: TableLive;
  readonly settling: Settling;
  readonly keys: Keys;
  #unused: number | null = null; // the note that names keys which were not used

  constructor(live: Live, name: string) {
    this.live = live;
    this.table = live.table(name);
    this.settling = new Settling(name);
    this.keys = new Keys(this, {
      dialog: () => document.querySelector('dialog[open]'),
      main: () => document.querySelector<HTMLButtonElement>('button[data-main]:not(:disabled)'),
      report: () => (this.wrong = true),
      unused: (keys) => {
        if (this.#unused !== null) forget(this.#unused);
        this.#unused = note(t('dealer.keysNotUsed', { keys }), 'bad');
      },
    });
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

  /** Whether takes and pays of the last round are left to be done before the next one. */
  get owes(): boolean {
    const view = this.view;
    if (!view?.settlement || view.phase.phase !== 'idle' || view.setup.terminal) return false;
    const next = view.phase.awaited?.step;
    return (
      (next === 'open-betting' || next === 'shoe' || next === 'free-hand') && !this.settling.finished(view.settlement)
    );
  }

  /** The step that the screen shows, as the keyboard tells steps apart. */
  get step(): Step | null {
    const view = this.view;
    if (view === null) return null;
    if (this.posts.length === 0) return 'duty';
    if (this.owes) return 'line';
    const next = view.phase.awaited?.step ?? 'nothing';
    return next === 'card' && (view.desk?.aside || view.shoe.seal !== null) ? 'draw' : next;
  }

  /** The last record that the screen shows. */
  get sequence(): number {
    return this.table.sequence ?? 0;
  }

  /** Whether the server takes commands now. */
  get connected(): boolean {
    return this.live.ready;
  }

  /** Whether a command may be given now: not while the dealer has to look first. */
  get ready(): boolean {
    return this.live.ready && !this.keys.stopped;
  }

  /** Send a command; where it belongs to another post a second person is asked for. Whether it was done. */
  async do(command: TableCommand, post: string | null = null, work: Work = 'step'): Promise<boolean> {
    let answer: Answer | null = null;
    const own = post === null || this.#reaches(post);
    if (own) answer = await this.#sent(command, work);
    if (!own || (isRefused(answer) && FOR_TWO.includes(answer.reason))) {
      answer = await this.#approved(
        command,
        isRefused(answer) ? postIn(answer) : post,
        isRefused(answer) ? answer.clauses : [],
      );
    }
    if (isRefused(answer)) noteRefusal(answer);
    this.refused = isRefused(answer) ? answer.reason : null;
    return answer !== null && !isRefused(answer);
  }

  /** Send a command with somebody's credentials behind it. */
  send(command: TableCommand, credentials: Credentials, comesAs?: string): Promise<Answer> {
    return this.#sent(command, 'step', credentials, comesAs);
  }

  /** Send a command; keys wait for its answer, and a refusal drops them. */
  async #sent(command: TableCommand, work: Work, credentials?: Credentials, comesAs?: string): Promise<Answer> {
    const end = this.keys.begin(INTERRUPTING.includes(command.type) ? 'interruption' : work);
    this.sending += 1;
    const answer = await this.live.command(this.table.name, command, credentials, comesAs);
    this.sending -= 1;
    if (isRefused(answer)) this.keys.stop();
    end(isRefused(answer) ? 0 : answer.sequence);
    return answer;
  }

  /** Whether this person's own post may be enough; the server decides. */
  #reaches(post: string): boolean {
    const ladder = this.view?.rules?.posts ?? [];
    return this.posts.some((own) => ladder.indexOf(own) >= ladder.indexOf(post));
  }

  #approved(command: TableCommand, post: string | null, clauses: string[]): Promise<Answer | null> {
    this.keys.stop();
    return new Promise((resolve) => {
      const asking: Asking = {
        command,
        post,
        clauses,
        answered: (answer) => {
          if (this.asking === asking) this.asking = null; // an answer may come when the dialog was left
          resolve(answer);
        },
      };
      this.asking = asking;
    });
  }
}

/** The post that a refusal names. */
function postIn(refused: { params: [string, string | number][] }): string | null {
  const named = refused.params.find(([name]) => name === 'post')?.[1];
  return typeof named === 'string' ? named.replace(/^@post\./, '') : null;
}
