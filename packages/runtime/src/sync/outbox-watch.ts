/** The operations that wait are sent at this look at the latest. */
const MOST_LOOKS = 5;

/**
 * Decides when operations that wait are sent: when none was added since the look before, or when they have waited for long.
 * A turn adds some with each of its steps. To send is work of the same process, so that each time makes the turn longer.
 */
export class OutboxWatch {
  #before = 0;
  #looks = 0;

  /** `count`: the operations that may be sent now. Answers whether to send. */
  look(count: number): boolean {
    this.#looks = count === 0 ? 0 : this.#looks + 1;
    const isQuiet = count > 0 && count === this.#before;
    this.#before = count;
    return isQuiet || this.#looks >= MOST_LOOKS;
  }
}
