/**
 * Makes the server's own metrics, whose names begin with sabre_: gauges and counters that are read when a scrape comes.
 *
 * Called by metrics.ts and its neighbours while the server is put together, never on the path of a request.
 */
import { Counter, Gauge, type Registry } from 'prom-client';

export const PREFIX = 'sabre_';

/** Adds the gauge `name`, whose value `read` tells. */
export function addGauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  new Gauge({
    name: PREFIX + name,
    help,
    registers: [registry],
    async collect() {
      this.set(await read());
    },
  });
}

/** Adds the counter `name`, whose value `read` tells. */
export function addCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name: PREFIX + name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
