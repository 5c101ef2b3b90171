/** A drill under way: its training table as a console sees one, and its commands over HTTP. */
import type {
  Credentials,
  DrillAnswer,
  GradeAnswer,
  Me,
  NewsFrame,
  Question,
  Required,
  Sections,
  TableCommand,
  ToldFacts,
  View,
  ViewFrame,
} from '../../api/types.ts';
import { get, isRefused, newId, post, refusedHere, type Refused } from '../../lib/api.ts';
import { TableLive, type Answer, type Live, type TableAccess } from '../../lib/live.svelte.ts';
import { language } from '../../lib/words.svelte.ts';
import { complain, FOLLOW_EVERY, gradeAgain, inLanguage, LED } from './requests.ts';

/** The training table of a drill; a command is answered with the whole drill. */
export class Drill implements TableAccess {
  readonly drill = true;
  /** The drill as it was answered last. */
  now_ = $state.raw() as DrillAnswer;
  /** How many acts were told before the last answer. */
  read = $state(0);
  waiting = $state(0);
  /** The language that the drill was last asked for in. */
  spoken = $state(language());
  readonly #table: TableLive;
  readonly #floor: Live;
  #asked = 0; // how much was sent

  constructor(floor: Live, answer: DrillAnswer) {
    this.#floor = floor;
    this.#table = new TableLive(answer.session);
    this.#take(answer);
  }

  /** Whoever trains, as that person is called at the training table. */
  get me(): Me | null {
    const me = this.#floor.me;
    return me && { ...me, name: this.now_.person, posts: [this.now_.post], demo: false };
  }

  /** Whether a trainer can let things go wrong at this table. */
  get led(): boolean {
    return this.now_.drill.startsWith(LED);
  }

  get ready(): boolean {
    return this.#floor.ready && !this.now_.over;
  }

  /** The time at the training table. */
  now(): number {
    return this.now_.now / 1000;
  }

  table(): TableLive {
    return this.#table;
  }

  async command(_: string, command: TableCommand, authoriser?: Credentials): Promise<Answer> {
    const command_id = newId();
    const form = { command_id, command, ...(authoriser ? { authoriser: authoriser.name } : {}) };
    const answer = await this.#ask('commands', form);
    if (isRefused(answer)) return { ...refusedHere(answer.reason, command_id), ...answer };
    if (answer.refused) return answer.refused;
    return { type: 'accepted', command_id, sequence: answer.sequence, receipt: null };
  }

  question(_: string, told: ToldFacts): Promise<Question | Required | Refused> {
    return post(this.#path('irregularity'), told, 'staff');
  }

  /** Have everything said in the language of the reader, who has chosen another one. */
  async translate(): Promise<void> {
    const [wanted, read] = [language(), this.read];
    const answer = await get<DrillAnswer>(this.#path() + inLanguage(), 'staff');
    if (!isRefused(answer) && answer.sequence >= this.now_.sequence) this.#take(answer);
    this.read = read; // nothing of it is new
    this.spoken = wanted;
  }

  /** Call a post to the table. */
  async call(name: string): Promise<void> {
    await this.#ask('calls', { post: name });
  }

  /** Let the drill go on without doing more about what was told last. */
  async goOn(): Promise<void> {
    await this.#ask('go-on', null);
  }

  /** End the drill; its grade, or nothing where there was no answer. */
  async grade(): Promise<GradeAnswer | null> {
    this.waiting += 1;
    this.#asked += 1;
    const answer = await gradeAgain(this.now_.session);
    this.waiting -= 1;
    if (!isRefused(answer)) return answer;
    complain(this.#floor, answer);
    return null;
  }

  /** Ask anew again and again where a trainer may do something meanwhile, until what is returned is called. */
  follow(): () => void {
    if (!this.led) return () => undefined;
    const timer = setInterval(() => void this.#look(), FOLLOW_EVERY);
    return () => clearInterval(timer);
  }

  /** Take what others did, unless something was sent meanwhile, whose answer is newer. */
  async #look(): Promise<void> {
    const asked = this.#asked;
    if (this.waiting > 0 || this.now_.over || this.#floor.idle) return;
    const answer = await get<DrillAnswer>(this.#path() + inLanguage(), 'staff');
    if (asked !== this.#asked) return;
    if (isRefused(answer)) {
      if (answer.reason === 'session-idle') this.#floor.idle = true;
      return; // another one comes soon
    }
    const { sequence, told, over } = this.now_;
    if (answer.sequence !== sequence || answer.told.length !== told.length || answer.over !== over) this.#take(answer);
  }

  #path(what?: string): string {
    return `/training/sessions/${this.now_.session}${what ? `/${what}` : ''}`;
  }

  async #ask(what: string, form: object | null): Promise<DrillAnswer | Refused> {
    this.waiting += 1;
    this.#asked += 1;
    const answer = await post<DrillAnswer>(this.#path(what) + inLanguage(), form, 'staff');
    this.waiting -= 1;
    if (!isRefused(answer)) this.#take(answer);
    else if (what !== 'commands') complain(this.#floor, answer);
    else if (answer.reason === 'session-idle') this.#floor.idle = true;
    return answer;
  }

  /** Take an answer; a section that is as it was stays the same, so that nothing is drawn anew. */
  #take(answer: DrillAnswer): void {
    const before = this.#table.view as Record<string, unknown> | null;
    this.read = before ? this.now_.told.length : 0;
    this.now_ = answer;
    const sections = Object.fromEntries(
      Object.entries(answer.view).map(([name, section]) => [name, same(before?.[name], section)]),
    ) as Partial<View> as Sections;
    const { sequence, now, moments } = answer;
    const frame = { table: answer.session, after: 0, sequence, now, clock: null, until: null, moments, sections };
    this.#table.take({ type: before ? 'news' : 'view', ...frame } as NewsFrame | ViewFrame);
  }
}

function same(before: unknown, after: unknown): unknown {
  return JSON.stringify(before) === JSON.stringify(after) ? before : after;
}
