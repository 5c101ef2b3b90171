/** A question to whoever is at the console: fields to fill in, and where it is wanted a second person's credentials. */
import type { Credentials } from '../../api/types.ts';

export interface FieldAsked {
  name: string;
  label: string;
  kind?: 'text' | 'number' | 'datetime-local' | 'password';
  value?: string;
  /** Choose one of these, by value and words. */
  choices?: [string, string][];
  /** Any number of the choices; the values come one on each line. */
  several?: boolean;
  optional?: boolean;
}

export interface Asked {
  title: string;
  why?: string;
  clauses?: string[];
  /** What the button says that sends it. */
  does?: string;
  fields: FieldAsked[];
  /** A second person stands behind it, at this console. */
  second?: boolean;
}

export interface Given {
  values: Record<string, string>;
  second?: Credentials;
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
