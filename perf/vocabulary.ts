/**
 * Reads a corpus once for the load tests: its words, sample documents to draw queries from, and how much there is of it.
 *
 * Its idea of a word (runs of letters and digits, folded to lower case) is close to the server's, not the same: a query
 * drawn here finds something nearly always.
 */
import { DocumentFile, splitLines } from '../src/cli/document-batches.js';
import { createRandom, randomBelow } from './random.js';

const WORD = /[\p{L}\p{N}]+/gu;
const SAMPLE_DOCUMENTS = 30_000;

export interface Vocabulary {
  readonly documents: number;
  /** Distinct words of a document and field, summed. */
  readonly postings: number;
  readonly words: readonly string[];
  /** Words in order, of one text field each, of documents drawn at random. */
  readonly samples: readonly (readonly string[])[];
}

/** The words of a text, folded. */
export const wordsOf = (value: string): string[] =>
  value
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(WORD) ?? [];

/** Reads the files at `paths`. `textFields`: the fields whose words count. */
export async function readVocabulary(paths: readonly string[], textFields: readonly string[]): Promise<Vocabulary> {
  const random = createRandom(1);
  const words = new Set<string>();
  const samples: (readonly string[])[] = [];
  let documents = 0;
  let postings = 0;
  let texts = 0;
  for (const path of paths) {
    for await (const batch of new DocumentFile(path).batches({ documents: 5000, bytes: 1 << 23 })) {
      for (const line of splitLines(batch.body)) {
        const document = JSON.parse(line.toString()) as Record<string, unknown>;
        documents++;
        for (const field of textFields) {
          const value = document[field];
          if (typeof value !== 'string') continue;
          const found = wordsOf(value);
          postings += new Set(found).size;
          for (const word of found) words.add(word);
          if (found.length === 0) continue;
          // Reservoir sampling (Vitter, algorithm R, 1985).
          const slot = texts++ < SAMPLE_DOCUMENTS ? samples.length : randomBelow(random, texts);
          if (slot < SAMPLE_DOCUMENTS) samples[slot] = found;
        }
      }
    }
  }
  return { documents, postings, words: [...words], samples };
}
