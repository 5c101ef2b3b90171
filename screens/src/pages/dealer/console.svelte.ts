/** A dealer's console at one table: what it shows, what was typed, and commands that keys have to wait for. */
import type { Credentials, TableCommand, ToldFacts, WagerEntry } from '../../api/types.ts';
import { isRefused } from '../../lib/api.ts';
import type { Draw } from '../../lib/cards.ts';
import { TableDesk } from '../../lib/desk.svelte.ts';
import type { Answer, TableAccess } from '../../lib/live.svelte.ts';
import { forget, note } from '../../lib/notes.svelte.ts';
import { t } from '../../lib/words.svelte.ts';
import { Keys, type Step, type Work } from './running/keys.svelte.ts';
import { Settling } from './wagers/settling.svelte.ts';

/** Commands that may interrupt the round. */
const INTERRUPTING: TableCommand['type'][] = ['report-irregularity', 'pause-table'];

/** The facts of a report that was taken back. */
export interface Again {
  told: ToldFacts;
  note: string;
}

/** A wager as it was entered. */
export type Mistaken = Pick<WagerEntry, 'patron' | 'wager' | 'position' | 'amount'>;

/** The part of a console that cards are entered at, which an exercise has as well. */
export type CardDesk = Pick<Console, 'keys' | 'ready' | 'reported' | 'typed'>;

/** One table at a console. */
export class Console extends TableDesk {
  /** Somebody says that something is wrong. */
  wrong = $state(false);
  /** A wager that was entered by mistake, to be corrected. */
  mistaken = $state.raw<Mistaken | null>(null);
  /** A report that was taken back, to be made again. */
  again = $state.raw<Again | null>(null);
  /** Cards that are typed and not sent yet, so that the hands can show where they will lie. */
  typed = $state.raw<Draw[]>([]);
  readonly settling: Settling;
  readonly keys: Keys;
  #unused: number | null = null; // the note that names keys which were not used
  #made = 0; // the last record that this console made
  readonly #works = new WeakMap<TableCommand, Work>(); // commands that do not lead to another step

  constructor(live: TableAccess, name: string) {
    super(live, name);
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

  /** Whether takes and pays of the last round are left to be done before the next one. */
  get owes(): boolean {
    const settlement = this.view?.settlement;
    return settlement?.due === true && !this.settling.finished(settlement);
  }

  /** What is still to be done with new cards before their first round, by the one who sits here: a cut, then a burn. */
  get prepares(): 'cut' | 'burn' | null {
    const view = this.view;
    if (!view || this.live.drill || view.phase.awaited?.step !== 'open-betting') return null; // a drill has it done
    const { rounds, seal, cut, burned } = view.shoe;
    if (rounds > 0 || seal !== null) return null;
    if (cut === null) return 'cut';
    return view.rules?.burn && burned === null ? 'burn' : null;
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

  /** How many irregularities the table has ever had. */
  get reported(): number {
    return this.view?.desk?.reported ?? 0;
  }

  /** Wait until the screen shows what was done here. */
  async caughtUp(): Promise<void> {
    while (this.sequence < this.#made) {
      await new Promise<void>((shown) => {
        const end = this.table.onMoments(() => {
          end();
          shown();
        });
      });
    }
  }

  /** Whether the server takes commands now. */
  get connected(): boolean {
    return this.live.ready;
  }

  /** Whether a command may be given now: not while the dealer has to look first. */
  override get ready(): boolean {
    return this.live.ready && !this.keys.stopped;
  }

  /** Open "something is wrong" with what a report told that was taken back. */
  reportAgain(told: ToldFacts, note: string): void {
    this.again = { told, note };
    this.wrong = true;
  }

  /** Open the correction of a wager that was entered by mistake. */
  correctWager(entered: Mistaken): void {
    this.mistaken = entered;
    this.wrong = true;
  }

  override do(command: TableCommand, two = false, work: Work = 'step'): Promise<boolean> {
    this.#works.set(command, work);
    return super.do(command, two);
  }

  /** Send a command; keys wait for its answer, and a refusal drops them. */
  protected override async sent(command: TableCommand, credentials?: Credentials, comesAs?: string): Promise<Answer> {
    const work = INTERRUPTING.includes(command.type) ? 'interruption' : this.#works.get(command);
    const end = this.keys.begin(work);
    const answer = await super.sent(command, credentials, comesAs);
    if (isRefused(answer)) this.keys.stop();
    else this.#made = Math.max(this.#made, answer.sequence);
    end(isRefused(answer) ? 0 : answer.sequence);
    return answer;
  }

  protected override approved(command: TableCommand, post: string | null, clauses: string[]): Promise<object | null> {
    this.keys.stop();
    return super.approved(command, post, clauses);
  }
}
