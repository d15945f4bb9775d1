/**
 * What the clients of a crash campaign asked for and what was acknowledged: the oracle of the state after a crash.
 *
 * A document is a register that several clients may write at once. A write that has ended supersedes whatever ended before
 * it began; one in flight when the server dies may have happened or not. So after a crash a few states are allowed for
 * each document, exactly one where its writes came one after the other. Used by traffic.ts and inspection.ts; never talks
 * to a server.
 */
import type { OracleSchema } from '../../oracle/collection.js';

/** Whether `id` is none of a document, but the path of a synonym or of the stop words, which are written as documents are. */
export const isRule = (id: string): boolean => id === 'stop-words' || id.startsWith('synonyms/');

/** The bytes of a document as they were sent; null: there is none. */
export type Version = string | null;

/** One request that writes: all of its documents or none. */
export interface Write {
  readonly versions: ReadonlyMap<string, Version>;
  /** Moments of the ledger's own clock; `end` is infinite while it is in flight. */
  readonly start: number;
  end: number;
}

interface Candidate {
  readonly version: Version;
  readonly write: Write;
}

/** lost: what was acknowledged is missing; resurrected: what was deleted or superseded is there; mismatch: all else. */
export interface Violation {
  readonly kind: 'lost' | 'resurrected' | 'mismatch';
  readonly message: string;
}

export type Report = (kind: Violation['kind'], message: string) => void;

/** Before everything: no document was there. */
const ORIGIN: Write = { versions: new Map(), start: -1, end: 0 };

const shown = (version: Version): string =>
  version === null ? 'nothing' : `${version.slice(0, 100)} (${version.length} characters)`;

/** How many aliases a client has. */
export const ALIASES_OF = 3;

/** An alias as it is answered, which is also a body that sets it. */
export const aliasText = (name: string, collection: string): string => JSON.stringify({ name, collection });

/** What has names, and is written by whole values. */
export class Registers {
  readonly #candidates = new Map<string, Candidate[]>();
  readonly #inFlight = new Set<Write>();
  #clock = 1;

  get ids(): string[] {
    return [...this.#candidates.keys()];
  }

  /** Writes whose answer has not come. */
  get inFlightCount(): number {
    return this.#inFlight.size;
  }

  /** What is there, whoever asks, by id; null: what some of it is is open. */
  certainAll(): ReadonlyMap<string, string> | null {
    const values = new Map<string, string>();
    for (const [id, candidates] of this.#candidates) {
      if (candidates.length !== 1) return null;
      const [{ version }] = candidates;
      if (version !== null) values.set(id, version);
    }
    return values;
  }

  /** Ids of what is one of `versions`, or may be. */
  idsOf(versions: (version: string) => boolean): string[] {
    const isOne = ({ version }: Candidate): boolean => version !== null && versions(version);
    return [...this.#candidates].filter(([, candidates]) => candidates.some(isOne)).map(([id]) => id);
  }

  begin(versions: ReadonlyMap<string, Version>): Write {
    const write: Write = { versions, start: this.#clock++, end: Number.POSITIVE_INFINITY };
    this.#inFlight.add(write);
    for (const [id, version] of versions) {
      const known = this.#candidates.get(id) ?? [{ version: null, write: ORIGIN }];
      this.#candidates.set(id, [...known, { version, write }]);
    }
    return write;
  }

  acknowledge(write: Write): void {
    write.end = this.#clock++;
    this.#inFlight.delete(write);
    this.#keep(write, (other) => other === write || other.end >= write.start);
  }

  /** The server said that it did nothing. */
  refuse(write: Write): void {
    this.#inFlight.delete(write);
    this.#keep(write, (other) => other !== write);
  }

  #keep(write: Write, isKept: (other: Write) => boolean): void {
    for (const id of write.versions.keys()) {
      const known = this.#candidates.get(id) ?? [];
      this.#candidates.set(
        id,
        known.filter((candidate) => isKept(candidate.write)),
      );
    }
  }

  /**
   * Judges what a restarted server holds, `seen` for each id that was ever written, and takes it for the state from now
   * on. Nothing may be in flight any more.
   */
  settle(name: string, seen: ReadonlyMap<string, Version>, report: Report): void {
    for (const [id, candidates] of this.#candidates) {
      const found = seen.get(id) ?? null;
      if (candidates.some(({ version }) => version === found)) continue;
      const allowed = candidates.map(({ version }) => shown(version)).join(', or ');
      report(found === null ? 'lost' : 'resurrected', `${name}/${id}: expected ${allowed}, got ${shown(found)}`);
    }
    for (const write of this.#inFlight) this.#checkWhole(name, write, seen, report);
    this.#inFlight.clear();
    for (const [id, version] of seen) this.#candidates.set(id, [{ version, write: ORIGIN }]);
  }

  /** A write whose answer was lost is there as a whole, or not at all. */
  #checkWhole(name: string, write: Write, seen: ReadonlyMap<string, Version>, report: Report): void {
    const applied: string[] = [];
    const missing: string[] = [];
    for (const [id, version] of write.versions) {
      const found = seen.get(id) ?? null;
      const others = (this.#candidates.get(id) ?? []).filter((candidate) => candidate.write !== write);
      const sources = others.filter((candidate) => candidate.version === found);
      // What another write explains as well proves nothing.
      if (found === version && sources.length === 0) applied.push(id);
      else if (found !== version && sources.every((candidate) => candidate.write.end < write.start)) missing.push(id);
    }
    if (applied.length === 0 || missing.length === 0) return;
    report('mismatch', `${name}: half a batch: ${applied.join(' ')} are there, ${missing.join(' ')} are not`);
  }
}

/** A collection from its creation to its deletion: its documents, synonyms and stop words. */
export class Incarnation extends Registers {
  schema: OracleSchema;
  /** What a change in flight leads to. */
  nextSchema: OracleSchema | null = null;
  /** As it was answered when the collection was created; null: that answer was lost. */
  createdAt: number | null = null;

  constructor(schema: OracleSchema) {
    super();
    this.schema = schema;
  }

  /** The documents that are there, whoever asks, by id; null: what some of them are is open. */
  certain(): ReadonlyMap<string, string> | null {
    const all = this.certainAll();
    return all === null ? null : new Map([...all].filter(([id]) => !isRule(id)));
  }
}

/** One name over time: at most one collection at a time, created and dropped by one client. */
export interface Name {
  readonly name: string;
  current: Incarnation | null;
  /** A creation in flight. */
  next: Incarnation | null;
  isDropInFlight: boolean;
}

export const newName = (name: string): Name => ({ name, current: null, next: null, isDropInFlight: false });

/** Judges whether a name exists after a restart; what was in flight is decided from now on. */
export function settleName(entry: Name, exists: boolean, report: Report): void {
  const { name, current, next, isDropInFlight } = entry;
  if (current !== null && !exists && !isDropInFlight) report('lost', `collection ${name} is gone`);
  if (current === null && exists && next === null) report('resurrected', `collection ${name} is back`);
  if (current === null && exists) entry.current = next;
  if (!exists) entry.current = null;
  entry.next = null;
  entry.isDropInFlight = false;
}
