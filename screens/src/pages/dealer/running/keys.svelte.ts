/**
 * The keyboard of the console: one place decides which step of the table gets a key.
 *
 * A key is used at once where nothing is under way. Otherwise it waits until the server has answered and the screen shows
 * the next step, and it is used there only if a round leads from the step before to that one by this key. A refusal, an
 * irregularity, a dialog or any other step drops all keys that wait, and a note names them. From then on no key counts
 * until the dealer pauses, since what is still being typed was meant for the same steps.
 */
import { tick } from 'svelte';
import type { NextStep } from '../../../api/types.ts';

/** A step as the keyboard tells it apart: a card that is typed or drawn, a line of the settlement, coming on duty. */
export type Step = NextStep | 'draw' | 'line' | 'duty' | 'nothing';

/** The table as the screen shows it. */
export interface Shown {
  readonly step: Step | null;
  readonly sequence: number;
  /** How many irregularities the table has ever had: one may be over at once. */
  readonly reported: number;
  readonly connected: boolean;
}

/** The parts of the page that keys act on. */
export interface KeySurface {
  /** The dialog that is open. */
  dialog: () => object | null;
  /** The button of the step. */
  main: () => { click: () => void } | null;
  /** Open "something is wrong". */
  report: () => void;
  /** Say which keys were not used. */
  unused: (keys: string) => void;
}

/** A part of the page that uses keys. */
export interface KeyTarget {
  /** Where it is: keys pressed there are for it. */
  place: () => Element | null | undefined;
  /** Whether it gets keys also without the focus. */
  open: () => boolean;
  /** Whether nobody may read what is typed into it. */
  masked?: () => boolean;
  /** Use a key; false where it has no use for it. */
  press: (key: string) => boolean;
}

/** A command that leads to another step, one that does not, or one that interrupts the round. */
type Kind = 'step' | 'aside' | 'interruption';

/** A kind of command, or a card of a typed line: a step that no dialog waits for, which may have come up meanwhile. */
export type Work = Kind | 'line';

interface Waiting {
  key: string;
  /** The key as it may be shown. */
  name: string;
}

/**
 * The steps that keys may be typed ahead for: by the step before, with the button's key or with other keys. Opening betting
 * twice by accident does not close it, and whatever needs a look first is not here: new cards, the next round, hands that
 * go to patrons, the differential, an irregularity.
 */
const NEXT: Partial<Record<Step, { main?: Step[]; entry?: Step[] }>> = {
  'open-betting': { entry: ['close-betting'] },
  'close-betting': { main: ['draw'], entry: ['card'] },
  card: { main: ['open-cards', 'call'], entry: ['card'] },
  draw: { main: ['draw'] },
  'open-cards': { main: ['open-cards', 'call'], entry: ['card'] },
  call: { main: ['line'] },
  'check-equipment': { main: ['check-equipment'] },
};
const INTERRUPTIONS: Step[] = ['case', 'answers', 'resume'];
const MAIN = ' ';
/** Milliseconds without a key after which the dealer counts as having looked. */
export const PAUSE_MS = 500;
const NAMES: Record<string, string> = {
  [MAIN]: 'Space',
  Enter: 'Enter',
  Escape: 'Esc',
  Backspace: '⌫',
  Delete: 'Delete',
  Insert: 'Insert',
  Home: 'Home',
  End: 'End',
  PageUp: 'PageUp',
  PageDown: 'PageDown',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};
/** So many keys are named at most, the last ones. */
const MOST_NAMED = 60;
const FIELDS = 'input, textarea, select, [contenteditable]';
const CONTROLS = 'a, summary, button:not([data-main])';
/** Keys that a target uses itself while its field has the focus; the browser writes all others. */
const OF_ENTRY = ['Enter', 'Escape', MAIN];

/** The keys of one console. */
export class Keys {
  /** Keys that wait for their step. */
  waiting = $state.raw<Waiting[]>([]);
  /** Keys were dropped, or the round was interrupted: nothing is taken until the dealer pauses. */
  stopped = $state(false);
  readonly #shown: Shown;
  readonly #surface: KeySurface;
  readonly #targets: KeyTarget[] = [];
  #unused: string[] = [];
  #draining = false;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #typed = -Infinity; // when the last key was pressed
  // the step that the last key or command was for, and whether it leads to another
  #at: Step | null = null;
  #leads = false;
  // work under way by its kind, and the last record that each kind made
  readonly #under: Record<Kind, number> = { step: 0, aside: 0, interruption: 0 };
  readonly #made: Record<Kind, number> = { step: 0, aside: 0, interruption: 0 };
  readonly #answering: object[] = []; // dialogs that wait for an answer
  // the step and the record that the screen showed when it was last looked at
  #step: Step | null = null;
  #sequence = 0;
  #reported = 0;

  constructor(shown: Shown, surface: KeySurface) {
    this.#shown = shown;
    this.#surface = surface;
  }

  /** Give keys to a part of the page; gives back how to end it, as an effect wants it. */
  register(target: KeyTarget): () => void {
    this.#targets.push(target);
    return () => {
      this.#targets.splice(this.#targets.indexOf(target), 1);
    };
  }

  /** Begin something that keys have to wait for; gives back how to end it, with the record that it made. */
  begin(work: Work = 'step'): (sequence?: number) => void {
    const dialog = work === 'line' ? null : this.#surface.dialog();
    const kind = work === 'line' ? 'step' : work;
    this.#under[kind] += 1;
    if (dialog) this.#answering.push(dialog);
    if (kind !== 'aside') {
      this.#at = this.#shown.step;
      this.#leads = true;
    }
    return (sequence = 0) => {
      this.#under[kind] -= 1;
      if (dialog) this.#answering.splice(this.#answering.indexOf(dialog), 1);
      this.#made[kind] = Math.max(this.#made[kind], sequence);
      void this.#drain();
    };
  }

  /** Type what a tap stands for while something is under way: it waits as if it were pressed. */
  type(text: string): void {
    const masked = this.#targets.some((each) => each.masked?.());
    const keys = [...text].map((key) => ({ key, name: masked ? '•' : key }));
    if (this.stopped || !this.#shown.connected) this.#drop([...this.waiting, ...keys]);
    else this.waiting = [...this.waiting, ...keys];
    void this.#drain();
  }

  /** Drop all keys that wait, and say so. */
  stop(): void {
    if (this.waiting.length > 0) this.#drop(this.waiting);
  }

  /** Name what was typed into a part of the page that is there no more; keys that waited were typed after it. */
  lose(text: string, masked = false): void {
    const after = this.#unused;
    this.#unused = [];
    this.#refuse([...[...text].map((each) => (masked ? '•' : each)), ...after]);
  }

  /** Look at what the screen shows now; to be called whenever that has changed. */
  follow(): void {
    const { step, sequence, reported } = this.#shown;
    if (reported > this.#reported && this.#step !== null) {
      this.stop(); // keys that wait were typed before anybody knew of it
      if (!this.#caused('interruption')) this.#halt();
    } else if (step !== this.#step && this.#step !== null && sequence !== this.#sequence) {
      if (INTERRUPTIONS.includes(step ?? 'nothing') && !INTERRUPTIONS.includes(this.#step)) {
        this.stop();
        if (!this.#caused('interruption')) this.#halt();
      } else if (!this.#caused('step') && performance.now() - this.#typed < PAUSE_MS) {
        this.#halt(); // the table went on by itself while something was being typed
      }
    }
    if (step !== this.#step && this.waiting.length === 0) {
      this.#at = step; // from now on keys are typed for what is shown, answered or not
      this.#leads = false;
    }
    this.#step = step;
    this.#sequence = sequence;
    this.#reported = reported;
    void this.#drain();
  }

  /** A key was pressed. */
  pressed(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (!key) return; // a browser that fills a form in
    const focused = event.target as Element;
    const writes = focused.matches(FIELDS);
    const target = this.#targets.findLast((each) =>
      writes ? each.place() === focused : each.place()?.contains(focused),
    );
    if (key === 'F1' || (key === '!' && !(writes && !target))) {
      if (this.#surface.dialog() || this.#shown.step === null || this.#shown.step === 'duty') return;
      event.preventDefault();
      this.stop();
      this.#surface.report();
      return;
    }
    if (key.length > 1 && !(key in NAMES)) return;
    if (event.repeat && (key === MAIN || key === 'Enter') && !(writes && !target)) {
      event.preventDefault(); // a key that is held down is pressed once
      return;
    }
    const dialog = this.#surface.dialog();
    if (dialog) this.#inDialogPressed(event, focused, target, this.#answering.includes(dialog));
    else this.#onPagePressed(event, focused, target);
  }

  /**
   * Something was tapped: it keeps no focus, nor gets it back from the dialog that it opens, so that the next space is
   * for the next step. It is let go before it does anything; keys that wait would now come in another order than typed,
   * unless it types keys itself.
   */
  tapped(event: MouseEvent): void {
    if (event.detail === 0) return; // pressed by a key
    if (!(event.target as Element).closest('[data-types]')) this.stop();
    const focused = document.activeElement;
    if (focused instanceof HTMLButtonElement && !focused.closest('dialog')) focused.blur();
  }

  // where a key goes

  #inDialogPressed(event: KeyboardEvent, focused: Element, target: KeyTarget | undefined, answering: boolean): void {
    const { key } = event;
    const control = focused.matches(CONTROLS) && (key === MAIN || key === 'Enter');
    if (answering) {
      if (key === 'Escape') return;
      event.preventDefault(); // the dialog may close, and the key with it
      this.#refuse([this.#name(key, focused)]);
    } else if (focused.matches(FIELDS)) {
      if (target && OF_ENTRY.includes(key) && target.press(key)) event.preventDefault();
    } else if (!control && this.#use(key, true)) event.preventDefault();
  }

  #onPagePressed(event: KeyboardEvent, focused: Element, target: KeyTarget | undefined): void {
    const { key } = event;
    const field = focused.matches(FIELDS);
    const control = focused.matches(CONTROLS) && (key === MAIN || key === 'Enter');
    if (key !== 'Escape') this.#typed = event.timeStamp;
    if (!this.stopped && this.waiting.length === 0 && this.#free(key) && this.#shown.connected) {
      this.#at = this.#shown.step;
      this.#leads = false;
      if (field && (!target || !OF_ENTRY.includes(key))) return;
      const used = target?.press(key) ?? false;
      if (!used && control) return;
      if (used || this.#use(key, false) || (key === MAIN && this.#useMain())) {
        event.preventDefault();
        this.#unused = [];
      } else if (key.length === 1 || key === 'Enter') {
        event.preventDefault();
        this.#refuse([this.#name(key, focused)]);
      }
    } else if (field && !target && this.#under.step + this.#under.interruption === 0) {
      return;
    } else if (key === 'Escape') {
      if (this.waiting.length > 0) event.preventDefault();
      this.stop();
    } else {
      event.preventDefault();
      const waits = { key, name: this.#name(key, focused) };
      const elsewhere = field ? !target : key !== MAIN && target && !target.open();
      if (this.stopped || elsewhere || control || !this.#shown.connected) {
        this.#drop([...this.waiting, waits]);
      } else {
        this.waiting = [...this.waiting, waits];
      }
    }
  }

  /** Whether a key can be used now: an amount may follow while wagers are on the way, everything else waits for all. */
  #free(key: string): boolean {
    const wagers = this.#shown.step === 'close-betting' && key !== MAIN;
    const works: Kind[] = wagers ? ['step', 'interruption'] : ['step', 'interruption', 'aside'];
    return works.every((work) => this.#under[work] === 0 && this.#made[work] <= this.#shown.sequence);
  }

  /** Whether a key that waited was meant for the step that the screen shows. */
  #meant(key: string): boolean {
    const { step } = this.#shown;
    if (step === null || this.#at === null) return false;
    if (!this.#leads) return step === this.#at;
    return NEXT[this.#at]?.[key === MAIN ? 'main' : 'entry']?.includes(step) ?? false;
  }

  async #drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    while (this.waiting.length > 0) {
      await tick();
      const [first, ...rest] = this.waiting;
      const dialog = this.#surface.dialog();
      if (!first || (!dialog && !this.#free(first.key))) break;
      this.waiting = rest;
      if (!dialog && this.#meant(first.key) && this.#useWaiting(first.key)) this.#unused = [];
      else this.#drop([first, ...this.waiting]);
    }
    this.#draining = false;
  }

  #useWaiting(key: string): boolean {
    this.#at = this.#shown.step;
    this.#leads = false;
    return this.#use(key, false) || (key === MAIN && this.#useMain());
  }

  #use(key: string, inDialog: boolean): boolean {
    return this.#targets
      .filter((each) => each.open() && inDialog === Boolean(each.place()?.closest('dialog')))
      .reverse()
      .some((each) => each.press(key));
  }

  #useMain(): boolean {
    const main = this.#surface.main();
    main?.click();
    return main !== null;
  }

  // keys that are not used

  /** Whether the last change of the screen came from here. */
  #caused(work: Kind): boolean {
    return this.#under[work] > 0 || this.#made[work] > this.#sequence;
  }

  #drop(keys: Waiting[]): void {
    this.waiting = [];
    this.#refuse(keys.map((each) => each.name));
    this.#halt();
  }

  #halt(): void {
    this.stopped = true;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => (this.stopped = false), PAUSE_MS);
  }

  #refuse(names: string[]): void {
    this.#unused = [...this.#unused, ...names].slice(-MOST_NAMED);
    this.#surface.unused(spelled(this.#unused));
  }

  #name(key: string, focused: Element): string {
    const masked = focused.matches('[type=password]') || this.#targets.some((each) => each.masked?.());
    return NAMES[key] ?? (masked ? '•' : key);
  }
}

/** Keys as they are written: Space 200 Enter. */
export function spelled(names: string[]): string {
  return names.reduce((text, name) => (name.length > 1 ? `${text.trimEnd()} ${name} ` : text + name), '').trim();
}
