/** A question to whoever is at the console: fields to fill in. */
import type { Currency } from '../../api/types.ts';

interface AnyField {
  name: string;
  label: string;
  value?: string;
  optional?: boolean;
}

/** A text, or something to choose. */
interface TextAsked extends AnyField {
  kind?: 'text' | 'date' | 'datetime-local' | 'password';
  /** Choose one of these, by value and words. */
  choices?: [string, string][];
  /** Any number of the choices; the values come one on each line. */
  several?: boolean;
}

export interface AmountAsked extends AnyField {
  kind: 'amount';
  currency: Currency;
  /** Zero is an answer as well. */
  zero?: boolean;
}

export interface WholeAsked extends AnyField {
  kind: 'whole';
  least: number;
  most: number;
}

export type FieldAsked = TextAsked | AmountAsked | WholeAsked;

export interface Asked {
  title: string;
  why?: string;
  clauses?: string[];
  /** The text of the button that sends it. */
  does?: string;
  fields: FieldAsked[];
  /** Says what is wrong with the answers together; nothing where they fit. */
  check?: (given: Given) => string | null;
  /** Says what the answers come to while they are typed. */
  sums?: (given: Given) => string;
  /** Sends what was given; whether it was done. Until then the question stays up, with everything that was typed. */
  sends?: (given: Given) => Promise<boolean>;
}

export interface Given {
  values: Record<string, string>;
  /** Amounts in minor units and whole numbers; one that may be left out and is has none. */
  numbers: Record<string, number>;
}

/** A number that had to be given. */
export function numberIn(given: Given, name: string): number {
  const found = given.numbers[name];
  if (found === undefined) throw new Error(`${name} was not asked for`);
  return found;
}

/** The question that is up, and how it is answered. */
class Asking {
  question = $state.raw<Asked | null>(null);
  #answered: ((given: Given | null) => void) | null = null;

  /** Put a question up and wait for its answer; nothing where it was closed. */
  ask(question: Asked): Promise<Given | null> {
    this.#answered?.(null);
    this.question = question;
    return new Promise((answered) => (this.#answered = answered));
  }

  /** Answer the question. */
  answer(given: Given | null): void {
    this.question = null;
    this.#answered?.(given);
    this.#answered = null;
  }
}

export const asking = new Asking();
