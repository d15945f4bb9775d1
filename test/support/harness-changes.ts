/**
 * Changes of schemas over a write harness, from their beginning to their end between two commits. Used by write-history.ts.
 */

import { runRebuildOrder } from '../../engine/writer/change/rebuild-order.js';
import { SchemaChanges } from '../../engine/writer/change/schema-changes.js';
import type { CommitResult } from '../../engine/writer/state/write-requests.js';
import { silentLogger, type WriteHarness } from './engine-writes.js';
import { turn } from './held-syncs.js';

export class HarnessChanges {
  readonly #harness: WriteHarness;
  readonly #changes: SchemaChanges;
  #code: string | null = null;

  constructor(harness: WriteHarness) {
    this.#harness = harness;
    const { path, memory } = harness;
    this.#changes = new SchemaChanges({
      ...{ path, memory, publisher: harness, logger: silentLogger },
      // Every change that needs it is begun, and then put in force.
      inlineBytesMax: 0,
      sizes: { stepBytes: 1, documentBytesMax: 1 },
      runner: { rebuild: async (order) => runRebuildOrder(order, (region) => memory.view(region)) },
      onResult: (result) => this.#hear(result),
      onDue: () => {},
      onChanged: () => {},
    });
  }

  #hear({ answers }: CommitResult): void {
    for (const { error } of answers) this.#code = error?.code ?? '';
  }

  /** Makes a change; resolves with the code of what went wrong, or ''. */
  async run(collectionId: number, change: object): Promise<string> {
    this.#code = null;
    this.#hear(await this.#changes.begin({ kind: 'change', ticket: 0, collectionId, change, isDryRun: false }));
    while (this.#code === null) await this.#step();
    return this.#code;
  }

  /** Ends what a crash has left under way; resolves as run() does. */
  async resume(): Promise<string> {
    this.#changes.resume();
    const schemas = [...this.#harness.collections.all()].filter(({ change }) => change !== null);
    while (schemas.some(({ change }) => change !== null)) await this.#step();
    const views = schemas.map(({ changeView }) => changeView);
    return views.some((view) => view !== null) ? 'unknown_outcome' : '';
  }

  async #step(): Promise<void> {
    await turn();
    if (this.#changes.isDue) this.#hear(await this.#changes.finish());
  }
}
