/** The receipts that a patron got at this terminal, kept in the browser for as long as there is room. */
import type { Receipt } from '../../../api/types.ts';

export interface Kept {
  receipt: Receipt;
  /** The amount that it is about, and the wager where there is one. */
  amount: number;
  wager: string | null;
}

const MOST = 200;

export class Receipts {
  list = $state.raw<Kept[]>([]);
  readonly #key: string;

  constructor(table: string, patron: string) {
    this.#key = `thirdcard-receipts ${table} ${patron}`;
    this.list = this.#read();
  }

  /** Keep another one, the newest first. */
  keep(receipt: Receipt, amount: number, wager: string | null): void {
    this.list = [{ receipt, amount, wager }, ...this.list].slice(0, MOST);
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.list));
    } catch {
      // then they are there until the page is left, and with the server for good
    }
  }

  #read(): Kept[] {
    try {
      return JSON.parse(localStorage.getItem(this.#key) ?? '[]') as Kept[];
    } catch {
      return [];
    }
  }
}
