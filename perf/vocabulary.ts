/**
 * Reads a corpus once for the load tests: its words, sample documents to draw queries from, and how much there is of it.
 *
 * Its idea of a word (runs of letters and digits, folded to lower case) is close to the server's, not the same: a query
 * drawn here finds something nearly always.
 */
import { DocumentFile, splitLines } from '../src/cli/document-batches.js';
import { type DocumentBatch, lineOfDocument } from '../src/import/batch-builder.js';
import { createRandom, type Random, randomBelow } from './random.js';

const WORD = /[\p{L}\p{N}]+/gu;
const SAMPLE_DOCUMENTS = 30_000;
const SAMPLE_VALUES = 2000;

type Scalar = string | number | boolean;

export interface Vocabulary {
  readonly documents: number;
  /** Distinct words of a document and field, summed. */
  readonly postings: number;
  readonly words: readonly string[];
  /** Words in order, of one text field each, of documents drawn at random. */
  readonly samples: readonly (readonly string[])[];
  /** Values, drawn at random, of each field that was asked for. */
  readonly values: ReadonlyMap<string, readonly Scalar[]>;
}

/** The words of a text, folded. */
export const wordsOf = (value: string): string[] =>
  value
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(WORD) ?? [];

/** Keeps some of what is offered, each as likely as every other: reservoir sampling (Vitter, algorithm R, 1985). */
class Reservoir<T> {
  readonly kept: T[] = [];
  readonly #random: Random;
  readonly #size: number;
  #offered = 0;

  constructor(size: number, seed: number) {
    this.#size = size;
    this.#random = createRandom(seed);
  }

  offer(item: T): void {
    const slot = this.#offered++ < this.#size ? this.kept.length : randomBelow(this.#random, this.#offered);
    if (slot < this.#size) this.kept[slot] = item;
  }
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The values of a field, which may have several. */
const valuesOf = <T>(value: unknown, isWanted: (value: unknown) => value is T): T[] =>
  isWanted(value) ? [value] : Array.isArray(value) ? value.filter(isWanted) : [];

type PlainDocument = Readonly<Record<string, unknown>>;

/** Every document of the files. Throws at a line that is none, with its number. */
async function* readDocuments(paths: readonly string[]): AsyncGenerator<PlainDocument> {
  for (const path of paths) {
    for await (const batch of new DocumentFile(path).batches({ documents: 5000, bytes: 1 << 23 })) {
      for (const [index, line] of splitLines(batch.body).entries()) yield parseDocument(line, path, batch, index);
    }
  }
}

function parseDocument(line: Buffer, path: string, batch: DocumentBatch, index: number): PlainDocument {
  const fail = (got: string): never => {
    throw new Error(`${path}, line ${lineOfDocument(batch, index)}: expected a JSON object, got ${got}`);
  };
  const text = line.toString();
  try {
    const document = JSON.parse(text) as unknown;
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document as PlainDocument;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  return fail(text.slice(0, 60));
}

/**
 * Reads the files at `paths`. `textFields`: the fields whose words count; `valueFields`: those of which values are drawn. Throws when
 * a line is no document.
 */
export async function readVocabulary(
  paths: readonly string[],
  textFields: readonly string[],
  valueFields: readonly string[] = [],
): Promise<Vocabulary> {
  const words = new Set<string>();
  const samples = new Reservoir<readonly string[]>(SAMPLE_DOCUMENTS, 1);
  const values = new Map(valueFields.map((field, i) => [field, new Reservoir<Scalar>(SAMPLE_VALUES, 2 + i)]));
  let documents = 0;
  let postings = 0;
  for await (const document of readDocuments(paths)) {
    documents++;
    for (const [field, reservoir] of values)
      for (const value of valuesOf(document[field], isScalar)) reservoir.offer(value);
    for (const field of textFields) {
      const found = valuesOf(document[field], isText).flatMap(wordsOf);
      postings += new Set(found).size;
      for (const word of found) words.add(word);
      if (found.length > 0) samples.offer(found);
    }
  }
  const drawn = new Map([...values].map(([field, { kept }]) => [field, kept]));
  return { documents, postings, words: [...words], samples: samples.kept, values: drawn };
}
