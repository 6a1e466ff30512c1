/** Counts for `/metrics`, in the text format of Prometheus. They name routes and codes, never a vault or a device. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #seconds = new Map<string, Histogram>();
  readonly #gauges: Readonly<Record<string, () => number>>;

  constructor(gauges: Readonly<Record<string, () => number>>) {
    this.#gauges = gauges;
  }

  count(call: string, code: string, seconds: number): void {
    const labels = `call="${call}",code="${code}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    const histogram = this.#seconds.get(call) ?? { counts: BOUNDS.map(() => 0), count: 0, sum: 0 };
    this.#seconds.set(call, histogram);
    for (const [index, bound] of BOUNDS.entries())
      if (seconds <= bound) histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
    histogram.count += 1;
    histogram.sum += seconds;
  }

  text(): string {
    const lines = ["# TYPE retake_sync_requests_total counter"];
    for (const [labels, count] of this.#requests) lines.push(`retake_sync_requests_total{${labels}} ${count}`);
    lines.push("# TYPE retake_sync_request_seconds histogram");
    for (const [call, { counts, count, sum }] of this.#seconds) {
      for (const [index, bound] of BOUNDS.entries())
        lines.push(`retake_sync_request_seconds_bucket{call="${call}",le="${bound}"} ${counts[index]}`);
      lines.push(`retake_sync_request_seconds_bucket{call="${call}",le="+Inf"} ${count}`);
      lines.push(`retake_sync_request_seconds_sum{call="${call}"} ${sum}`);
      lines.push(`retake_sync_request_seconds_count{call="${call}"} ${count}`);
    }
    for (const [name, read] of Object.entries(this.#gauges))
      lines.push(`# TYPE retake_sync_${name} gauge`, `retake_sync_${name} ${read()}`);
    return `${lines.join("\n")}\n`;
  }
}

const BOUNDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 30];

interface Histogram {
  readonly counts: number[];
  count: number;
  sum: number;
}
