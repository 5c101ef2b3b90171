/** Staff at one table: what the table shows, and how commands go there, approved by a second person where need be. */
import type { Credentials, TableCommand, View } from '../api/types.ts';
import { isRefused } from './api.ts';
import { approving } from './approving.ts';
import type { Answer, TableAccess, TableLive } from './live.svelte.ts';
import { noteRefusal } from './notes.svelte.ts';

/** Something that waits for a second person: whom it needs, how it is sent with their credentials, and its answer. */
export interface Approval {
  post: string | null;
  clauses: string[];
  /** The act in words, for whoever approves it. */
  about?: string;
  /** Whether both say why it is done. */
  reason?: boolean;
  /** Whether it is for people who are not of the table. */
  aside?: boolean;
  send: (credentials: Credentials, comesAs?: string, reason?: string) => Promise<object>;
  answered: (answer: object | null) => void;
}

/** Refusals that a second person can lift. */
const FOR_TWO = ['not-authorised', 'second-person-needed'];

/** Whether a second person can lift a refusal. */
export function isForTwo(refused: { reason: string }): boolean {
  return FOR_TWO.includes(refused.reason);
}

/** Acts for which two people give a reason. */
const WITH_REASON = ['find-wager', 'correct-wager', 'correct-card'];

type Section<Name extends keyof View> = NonNullable<View[Name]>;

/** One table, and whoever of the staff is signed in. */
export class TableDesk {
  /** A command for which somebody must stand behind whoever gave it. */
  asking = $state.raw<Approval | null>(null);
  /** How many commands are on the way. */
  sending = $state(0);
  /** The reason of the last refusal; nothing once a command was done. */
  refused = $state.raw<string | null>(null);
  readonly live: TableAccess;
  readonly table: TableLive;

  readonly #done: () => void;

  /** `done` says that something was done, where the console says so. */
  constructor(live: TableAccess, name: string, done: () => void = () => {}) {
    this.live = live;
    this.table = live.table(name);
    this.#done = done;
  }

  /** The table as staff see it, once it is there whole. */
  get view(): View | null {
    const view = this.table.view;
    const whole = view?.desk && view.running && view.entries && view.rules && view.people && view.wagers && view.alerts;
    return whole && view.settlement ? view : null;
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

  /** The posts in which that person is on duty at this table, as the server says. */
  get posts(): string[] {
    return this.view?.people?.on_duty[this.name] ?? [];
  }

  /** Those on duty here who can be asked to approve what belongs to a post, besides whoever sits at the console. */
  inPost(post: string | null): string[] {
    const posts = this.postsFor(post);
    return Object.entries(this.section('people').on_duty)
      .filter(([person, held]) => person !== this.name && held.some((each) => posts.includes(each)))
      .map(([person]) => person);
  }

  /** The posts whose holders can be asked to approve what belongs to a post; of nothing in particular all posts. */
  postsFor(post: string | null): string[] {
    const { posts, stands_for } = this.section('rules');
    return (post === null ? undefined : stands_for[post]) ?? posts;
  }

  /** Whether somebody is on duty at this table, as the server says. */
  isOnDuty(person: string): boolean {
    return person in this.section('people').on_duty;
  }

  /** Whether a command may be given now. */
  get ready(): boolean {
    return this.live.ready;
  }

  /**
   * Send a command. Where the server answers that somebody else is needed, that person is asked for, and it is sent again
   * with their credentials; `two` where the server has said before that two people stand for it. Whether it was done.
   */
  async do(command: TableCommand, two = false): Promise<boolean> {
    let answer: object | null = two ? null : await this.sent(command);
    if (two) answer = await this.approved(command, null, []);
    else if (isRefused(answer) && isForTwo(answer))
      answer = await this.approved(command, postIn(answer), answer.clauses);
    if (isRefused(answer)) noteRefusal(answer);
    this.refused = isRefused(answer) ? answer.reason : null;
    if (answer === null || isRefused(answer)) return false;
    this.#done();
    return true;
  }

  /** Send a command with somebody's credentials behind it. */
  send(command: TableCommand, credentials: Credentials, comesAs?: string): Promise<Answer> {
    return this.sent(command, credentials, comesAs);
  }

  /** Send a command and wait for its answer. */
  protected async sent(command: TableCommand, credentials?: Credentials, comesAs?: string): Promise<Answer> {
    this.sending += 1;
    const answer = await this.live.command(this.table.name, command, credentials, comesAs);
    this.sending -= 1;
    return answer;
  }

  /** Ask for a second person; nothing where nobody approves. */
  protected approved(command: TableCommand, post: string | null, clauses: string[]): Promise<object | null> {
    return new Promise((resolve) => {
      const asking: Approval = {
        post,
        clauses,
        about: approving(command, this.section('setup')),
        reason: WITH_REASON.includes(command.type),
        aside: command.type === 'count-drop',
        send: (credentials, comesAs, reason) =>
          this.sent(reason ? ({ ...command, reason } as TableCommand) : command, credentials, comesAs),
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
