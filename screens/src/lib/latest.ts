/** The last of several questions: an answer to an earlier one that comes late is left out. */
export class Latest {
  #asked = 0;

  /** Begin a question; tells, when its answer comes, whether it is still the last one. */
  ask(): () => boolean {
    this.#asked += 1;
    const own = this.#asked;
    return () => own === this.#asked;
  }
}
