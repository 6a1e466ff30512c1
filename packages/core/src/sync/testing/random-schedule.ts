import { RandomNumbers } from "../../../../../testing/random-numbers.ts";
import { afterAsked } from "../after-answer.ts";
import type { SyncCall } from "../sync-calls.ts";
import type { SyncOutcome } from "../sync-http.ts";
import { begin, LANE, NO_ANSWER, newDevice, receive, type Surroundings, work } from "./model-device.ts";
import { BrokenPromiseError, Invariants } from "./model-invariants.ts";
import { ModelOperations } from "./model-operations.ts";
import { RULES, type Rules } from "./model-rules.ts";
import { collect, type ModelRequest, type ModelServer, serve } from "./model-server.ts";
import { type ModelDevice, PRIVATE, type RequestId } from "./model-state.ts";
import { KID } from "./segments.ts";

/**
 * Devices, a server and a network, with everything that can go wrong, in an order that follows from a seed:
 *
 *     network   drops, duplicates, delays and reorders requests and answers; partitions
 *     devices   crash at any moment, also between the transactions of one outcome; clocks ten years off, and set at any time
 *     server    restarts, collects unreferenced blobs, is restored from an older backup
 *
 * The invariants are checked after every event. At the end the network is whole again, and all must become equal.
 */
export class RandomSchedule {
  readonly #random: RandomNumbers;
  readonly #rules: Rules;
  readonly #operations = new ModelOperations();
  readonly #invariants = new Invariants(this.#operations);
  readonly #devices = new Map<string, ModelDevice>();
  readonly #clocks = new Map<string, number>();
  readonly #cut = new Set<string>();
  readonly #made = new Map<string, string>();
  readonly #log: string[] = [];
  readonly #reader: string | undefined;
  /** A device whose user has asked for everything merges, also one that only reads. */
  readonly #asked = new Set<string>();
  readonly #restores: boolean;
  readonly #seed: number;
  #server: ModelServer = { kid: KID, marks: [], threads: new Map(), blobs: new Set() };
  #backup = this.#server;
  #network: Message[] = [];
  #now = 0;
  #ids = 0;

  constructor(seed: number, rules: Rules = RULES) {
    this.#seed = seed;
    this.#rules = rules;
    this.#random = new RandomNumbers(seed);
    for (const name of ["a", "b", "c"]) {
      this.#devices.set(name, newDevice(name, KID));
      this.#clocks.set(name, this.#random.pick([0, TEN_YEARS, -TEN_YEARS]));
    }
    // A device with another key, which must never write.
    if (this.#random.percent(20)) this.#devices.set(STRANGER, newDevice(STRANGER, "f".repeat(64)));
    this.#reader = this.#random.percent(30) ? "c" : undefined;
    this.#restores = this.#random.percent(40);
  }

  run(steps = 80 + this.#random.below(200)): void {
    try {
      for (let step = 0; step < steps; step += 1) this.#event();
      this.#becomeQuiet();
      const devices = [...this.#devices.values()].filter(({ name }) => name !== STRANGER);
      // Every device has noticed by now that a backup was restored.
      this.#invariants.lossy = false;
      for (const device of devices) this.#invariants.checkDevice(device, this.#server, false);
      this.#invariants.checkEnd(devices, this.#server, this.#made);
    } catch (error) {
      if (!(error instanceof BrokenPromiseError)) throw error;
      const log = this.#log.slice(-100).join("\n");
      throw new BrokenPromiseError(`${error.message}\nseed ${this.#seed}, ${this.#log.length} events:\n${log}`);
    }
  }

  #event(): void {
    this.#now += this.#random.below(3) * this.#random.below(120_000);
    const which = this.#random.below(100);
    if (which < 12) this.#work();
    else if (which < 34) this.#exchange();
    else if (which < 54) this.#begin();
    else if (which < 78) this.#deliver();
    else if (which < 82) this.#drop();
    else if (which < 85) this.#duplicate();
    else if (which < 88) this.#giveUp();
    else if (which < 91) this.#crash(this.#random.pick([...this.#devices.keys()]));
    else if (which < 93) this.#partition();
    else if (which < 94) this.#setClock();
    else if (which < 95) this.#changeServer("collect", collect(this.#server));
    else if (which < 96) this.#ask();
    else this.#troubleServer();
  }

  #work(): void {
    const device = this.#random.pick([...this.#devices.values()].filter(({ name }) => name !== this.#reader));
    const thread = device.name === STRANGER ? "t1" : this.#random.pick(["t1", "t1", "t1", "t2", `${PRIVATE}-1`]);
    const next = work(device, thread, this.#surroundings(device.name));
    if (device.name !== STRANGER) this.#made.set(next.threads.get(thread)?.head ?? "", thread);
    this.#store(`${device.name} works in ${thread}: ${next.threads.get(thread)?.head}`, next);
  }

  /** The user of a device asks for everything, also on one that only reads. */
  #ask(): void {
    const device = this.#random.pick([...this.#devices.values()]);
    const threads = [...device.threads].map(([id, each]) => [id, { ...each, sync: afterAsked(each.sync) }] as const);
    this.#asked.add(device.name);
    this.#store(`${device.name} asks for everything`, { ...device, threads: new Map(threads) });
  }

  #begin(): string | undefined {
    const device = this.#random.pick([...this.#devices.values()]);
    const lane = this.#random.pick([LANE, ...[...device.threads.keys()].filter((id) => !id.startsWith(PRIVATE))]);
    return this.#beginLane(device, lane) ? device.name : undefined;
  }

  /** A step without trouble: without it, most schedules would end before much has happened. */
  #exchange(): void {
    const name = this.#begin();
    if (name === undefined || this.#cut.has(name)) return;
    const own = () => this.#network.find(({ device }) => device === name);
    for (let message = own(); message; message = own()) this.#pass(message);
  }

  #beginLane(device: ModelDevice, lane: string): boolean {
    const began = begin(device, lane, this.#surroundings(device.name));
    if (!began) return false;
    this.#store(`${device.name} begins ${lane}: ${began.request?.call ?? "merge"}`, began.device);
    if (began.request) this.#send(device.name, lane, began.request);
    return true;
  }

  #send(device: string, lane: string, request: ModelRequest): void {
    this.#invariants.checkRequest(request);
    this.#network.push({ id: this.#ids, device, lane, call: request.call, request });
  }

  #deliver(): void {
    const reachable = this.#network.filter(({ device }) => !this.#cut.has(device));
    if (reachable.length > 0) this.#pass(this.#random.pick(reachable));
  }

  /** A request reaches the server, or an answer its device. */
  #pass(message: Message): void {
    this.#network = this.#network.filter((each) => each !== message);
    const { id, device: name, lane, call, request, outcome } = message;
    if (request) {
      const served = serve(this.#server, request, this.#rules, `x${this.#random.below(2 ** 30)}`);
      const { kind } = served.outcome;
      this.#changeServer(
        `serves ${request.call} of ${name}: ${kind === "refused" ? served.outcome.code : kind}`,
        served.server,
      );
      this.#network.push({ id, device: name, lane, call, outcome: served.outcome });
    } else if (outcome) this.#receive(name, lane, { id, call }, outcome);
  }

  #receive(name: string, lane: string, id: RequestId, outcome: SyncOutcome<SyncCall>): void {
    const device = this.#devices.get(name) as ModelDevice;
    const { stored, request } = receive(device, lane, id, outcome, this.#surroundings(name));
    for (const [index, each] of stored.entries()) {
      this.#store(`${name} takes in ${outcome.kind} (${lane})`, each);
      if (index < stored.length - 1 && this.#random.percent(50)) {
        this.#crash(name);
        return;
      }
    }
    if (request) this.#send(name, lane, request);
  }

  #drop(): void {
    if (this.#network.length === 0) return;
    const message = this.#random.pick(this.#network);
    this.#network = this.#network.filter((each) => each !== message);
    this.#log.push(`drop ${message.request ? "request" : "answer"} of ${message.device}`);
  }

  #duplicate(): void {
    if (this.#network.length > 0) this.#network.push({ ...this.#random.pick(this.#network) });
  }

  #giveUp(): void {
    const device = this.#random.pick([...this.#devices.values()]);
    for (const [lane, waiting] of device.waiting) this.#receive(device.name, lane, waiting, NO_ANSWER);
  }

  #crash(name: string): void {
    const device = this.#devices.get(name) as ModelDevice;
    this.#store(`${name} crashes`, { ...device, waiting: new Map() });
  }

  #partition(): void {
    const name = this.#random.pick([...this.#devices.keys()]);
    if (!this.#cut.delete(name)) this.#cut.add(name);
  }

  #setClock(): void {
    const name = this.#random.pick([...this.#devices.keys()]);
    this.#clocks.set(name, this.#random.pick([0, TEN_YEARS, -TEN_YEARS]));
  }

  #troubleServer(): void {
    const trouble = this.#random.pick(["restart", "back up", "restore"]);
    this.#log.push(`server: ${trouble}`);
    if (trouble === "restart") this.#network = [];
    if (trouble === "back up") this.#backup = this.#server;
    if (trouble !== "restore" || !this.#restores || this.#backup === this.#server) return;
    this.#invariants.restored();
    this.#changeServer("is restored", this.#backup);
  }

  /** The network is whole, and every device goes on until it has nothing to do. */
  #becomeQuiet(): void {
    this.#cut.clear();
    for (const message of this.#network.filter(({ request }) => request)) this.#pass(message);
    this.#network = [];
    for (const name of this.#devices.keys()) this.#crash(name);
    for (let round = 0; round < 40; round += 1) {
      this.#now += 20 * 60_000;
      const busy = [...this.#devices.keys()].filter((name) => this.#syncAll(name));
      if (busy.length === 0) return;
    }
    throw new BrokenPromiseError("the devices do not come to rest");
  }

  /** Lets a device go on until it has nothing to do. Answers whether it had something to do. */
  #syncAll(name: string): boolean {
    for (let count = 0; count < 100; count += 1) {
      const { threads } = this.#devices.get(name) as ModelDevice;
      const lanes = [...threads.keys()].filter((id) => !id.startsWith(PRIVATE));
      const worked = lanes.filter((lane) => this.#syncLane(name, lane));
      this.#syncLane(name, LANE);
      if (worked.length === 0 && this.#devices.get(name)?.threads === threads) return count > 0;
    }
    return true;
  }

  #syncLane(name: string, lane: string): boolean {
    const began = this.#beginLane(this.#devices.get(name) as ModelDevice, lane);
    while (this.#network.length > 0) this.#pass(this.#network[0] as Message);
    return began;
  }

  #store(event: string, device: ModelDevice): void {
    this.#log.push(event);
    this.#devices.set(device.name, device);
    if (device.name === STRANGER) return;
    const onlyReads = device.name === this.#reader && !this.#asked.has(device.name);
    this.#invariants.checkDevice(device, this.#server, onlyReads);
  }

  #changeServer(event: string, server: ModelServer): void {
    this.#log.push(`server: ${event}`);
    this.#invariants.checkServer(server, this.#server);
    this.#server = server;
  }

  #surroundings(name: string): Surroundings {
    this.#ids += 1;
    return {
      rules: this.#rules,
      operations: this.#operations,
      id: this.#ids,
      now: TEN_YEARS * 2 + this.#now + (this.#clocks.get(name) ?? 0),
      jitter: this.#random.fraction(),
      segment: 1 + this.#random.below(3),
    };
  }
}

interface Message extends RequestId {
  readonly device: string;
  readonly lane: string;
  readonly request?: ModelRequest;
  readonly outcome?: SyncOutcome<SyncCall>;
}

const STRANGER = "stranger";
const TEN_YEARS = 10 * 365 * 24 * 3_600_000;
