/**
 * Reads a whole file to see what its fields are like and to propose a schema: once, a table twice, as its types come first.
 */
import type { FieldType } from '../../../import/declared-field.js';
import { FieldCounter, type FieldStatistics } from '../../../import/field-statistics.js';
import { type Inference, proposeSchema } from '../../../import/infer-schema.js';
import { InputError } from '../../../import/input-error.js';
import { TypeGuess } from '../../../import/type-guess.js';
import { batchesOf, type FileInput, isTable, type Reading } from './file-documents.js';

export interface Inspection {
  /** Whether it is one, whose cells become ids as they are spelled. */
  readonly isTable: boolean;
  readonly documents: number;
  /** Lines that are no JSON objects. */
  readonly strangers: number;
  readonly fields: ReadonlyMap<string, FieldStatistics>;
  readonly inference: Inference;
}

/** What is looked at in one go: between them the page answers. */
const PORTION = { documents: 2000, bytes: 512 * 1024 };
const decoder = new TextDecoder();

const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function eachLine(input: FileInput, reading: Reading, take: (line: string) => void): Promise<number> {
  let lines = 0;
  for await (const { body } of batchesOf(input, reading, PORTION)) {
    for (const line of decoder.decode(body).split('\n')) {
      if (line === '' || line === '\r') continue;
      take(line);
      lines++;
    }
    await breathe();
  }
  return lines;
}

/** Reads all of `input`; `onShare` is told how far it is, from 0 to 1. Errors: as of batchesOf(). */
export async function inspectFile(
  input: FileInput,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<Inspection> {
  const passes = isTable(input) ? 2 : 1;
  const reading = (pass: number, types: ReadonlyMap<string, FieldType>): Reading => ({
    types,
    signal,
    onRead: (bytes) => onShare((pass + bytes / Math.max(1, input.file.size)) / passes),
  });
  const guess = new TypeGuess();
  if (passes === 2) await eachLine(input, reading(0, new Map()), (line) => guess.add(line));
  const counter = new FieldCounter();
  const lines = await eachLine(input, reading(passes - 1, guess.types), (line) => counter.add(line));
  const { documents, fields } = counter;
  if (documents === 0) throw new InputError(`${input.file.name}: it has no documents`);
  const inference = proposeSchema('c', fields);
  return { isTable: passes === 2, documents, strangers: lines - documents, fields, inference };
}
