import { addUsage, type OverBudget, type Usage } from "@retake/core";
import { costOf, type Price } from "../model/cost.ts";

/** How much a thread may cost. The model is not called once it has cost that much: the user decides whether it goes on. */
export class Budget {
  #limit: number;
  readonly #price: Price | undefined;
  readonly #before: () => number | undefined;
  readonly #step: number;
  #cost: number | undefined;
  #turn: Usage = {};

  /**
   * `before`: what the thread has cost until this turn; undefined where a price is not known. A limit of 0 is none. `step`: how
   * much more the user is asked for.
   */
  constructor(limit: number, price: Price | undefined, before: () => number | undefined, step = limit) {
    this.#limit = limit;
    this.#step = step;
    this.#price = price;
    this.#before = before;
  }

  /** Counts what a call of this turn took. */
  add(usage: Usage): void {
    this.#turn = addUsage(this.#turn, usage);
  }

  /** Why the model is not called, and the budget with which it would be; undefined while it may be called. */
  problem(): OverBudget | undefined {
    const budget = this.#limit;
    if (budget === 0) return undefined;
    this.#cost ??= this.#before();
    const turn = costOf(this.#turn, this.#price);
    if (this.#cost === undefined || turn === undefined) return undefined;
    const cost = exact(this.#cost + turn);
    if (cost < budget) return undefined;
    const message = `This thread has cost ${dollars(cost)}, and its budget is ${dollars(budget)}, so the model was not asked.`;
    const steps = Math.floor(exact(cost / this.#step)) + 1;
    return { message, cost, budget, raised: exact(this.#step * steps) };
  }

  raise(budget: number): void {
    this.#limit = budget;
  }

  /** Said at the beginning of a turn: a budget that cannot be kept must not seem to be. */
  notice(model: string): string | undefined {
    return this.#limit > 0 && this.#price === undefined
      ? `The price of ${model} is not known, so the budget of ${dollars(this.#limit)} cannot be kept. Set it: retake config prices.${model}.input <dollars>, and output.`
      : undefined;
  }
}

/** Without the error of binary fractions: 0.1 + 0.2 is 0.3. Otherwise a raised budget can be as low as the cost. */
function exact(amount: number): number {
  return Number(amount.toPrecision(12));
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
