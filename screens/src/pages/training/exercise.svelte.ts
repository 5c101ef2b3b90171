/** An exercise in ordinary dealing under way: its questions over HTTP, and its keys as a console has them. */
import type { CheckedAnswer, ExerciseQuestion, ExerciseStanding } from '../../api/types.ts';
import { get, isRefused, post, type Refused } from '../../lib/api.ts';
import type { Draw } from '../../lib/cards.ts';
import { money } from '../../lib/format.ts';
import type { Live } from '../../lib/live.svelte.ts';
import { oddsText, wagerName } from '../../lib/names.ts';
import { forget, note } from '../../lib/notes.svelte.ts';
import { say, t } from '../../lib/words.svelte.ts';
import { parseAmount } from '../../lib/amount.ts';
import { Keys, type Shown, type Step } from '../dealer/running/keys.svelte.ts';
import { complain } from './requests.ts';

/** What one begins an exercise with. */
export interface AskedExercise {
  game: string;
  rounds: number;
  seed: number | null;
}

/** Begin an exercise. */
export function beginExercise(asked: AskedExercise): Promise<ExerciseStanding | Refused> {
  return post('/training/exercises', asked, 'staff');
}

/** The exercise that somebody has begun, as it stands. */
export function findExercise(exercise: string): Promise<ExerciseStanding | Refused> {
  return get(`/training/exercises/${encodeURIComponent(exercise)}`, 'staff');
}

/** An exercise as the page shows it; each answer of the server is the whole of it. */
export class Exercise implements Shown {
  now_ = $state.raw() as ExerciseStanding;
  waiting = $state(0);
  typed = $state.raw<Draw[]>([]);
  readonly keys: Keys;
  // keys wait here for the server alone: no step of a table comes in between
  readonly step: Step = 'card';
  readonly sequence = 0;
  readonly reported = 0;
  readonly #floor: Live;
  #unused: number | null = null;

  constructor(floor: Live, standing: ExerciseStanding) {
    this.#floor = floor;
    this.now_ = standing;
    this.keys = new Keys(this, {
      dialog: () => document.querySelector('dialog[open]'),
      main: () => document.querySelector<HTMLButtonElement>('button[data-main]:not(:disabled)'),
      report: () => undefined,
      unused: (keys) => {
        if (this.#unused !== null) forget(this.#unused);
        this.#unused = note(t('dealer.keysNotUsed', { keys }), 'bad');
      },
    });
  }

  get connected(): boolean {
    return this.#floor.ready;
  }

  get ready(): boolean {
    return this.connected && !this.keys.stopped;
  }

  /** Answer the question that is shown; whether the server took it. */
  answer(text: string): Promise<boolean> {
    const { question } = this.now_;
    return question ? this.#send('answers', { question: question.number, answer: text }) : Promise.resolve(false);
  }

  /** Go on from the question that is answered. */
  goOn(): Promise<boolean> {
    const { checked } = this.now_;
    return checked ? this.#send('next', { question: checked.question.number }) : Promise.resolve(false);
  }

  async #send(what: string, form: object): Promise<boolean> {
    if (this.waiting > 0) return false;
    this.waiting += 1;
    const end = this.keys.begin();
    const answer = await post<ExerciseStanding>(`/training/exercises/${this.now_.exercise}/${what}`, form, 'staff');
    this.waiting -= 1;
    if (isRefused(answer)) complain(this.#floor, answer);
    else this.now_ = answer;
    end();
    return !isRefused(answer);
  }
}

/** An answer other than cards, in words. */
export function answerInWords({ skill }: ExerciseQuestion, text: string, { currency }: ExerciseStanding): string {
  if (skill === 'payout') {
    const minor = parseAmount(text, currency);
    return typeof minor === 'number' ? money(minor, currency) : text;
  }
  if (text === 'nobody' || text === 'pay' || text === 'take' || text === 'leave') return t(`training.${text}`);
  return say(`hand.${text}`);
}

/** Why an answer is right, with the wager as the document or the language calls it. */
export function reason({ why, question }: CheckedAnswer): string {
  if (!why) return '';
  const { stake } = question;
  const given = new Map<string, string | number>(why.params);
  if (stake) given.set('wager', wagerName({ id: stake.wager, name: stake.name }));
  const odds = given.get('odds');
  if (typeof odds === 'string') given.set('odds', oddsText(odds));
  return say(why.key, Object.fromEntries(given));
}
