/**
 * The documents of the comparison with other engines. Titles are cut into Sabre's own tokens beforehand and joined with
 * blanks, so that an engine that splits at blanks has the same tokens.
 */
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { Analyzer, type TokenSink } from '../../engine/text/analyzer.js';
import { DocumentFile, splitLines } from '../../src/cli/document-batches.js';
import { createRandom, randomBelow } from '../random.js';

const SAMPLE_DOCUMENTS = 30_000;
const BATCH = { documents: 5000, bytes: 1 << 23 };

export interface PreparedDocuments {
  /** JSON lines. */
  readonly jsonFile: string;
  /** Id, title and JSON of each, with tabs between: nothing to parse for the others. */
  readonly tableFile: string;
  readonly count: number;
  readonly jsonBytes: number;
  readonly words: readonly string[];
  /** Tokens of documents drawn at random, at least one each. */
  readonly samples: readonly (readonly string[])[];
}

/** Cuts texts into Sabre's tokens. */
class Tokenizer implements TokenSink {
  readonly #analyzer = new Analyzer();
  #tokens: string[] = [];

  tokensOf(text: string): readonly string[] {
    this.#tokens = [];
    const bytes = Buffer.from(text);
    this.#analyzer.analyze(bytes, 0, bytes.length, this);
    return this.#tokens;
  }

  token(bytes: Uint8Array, start: number, end: number): void {
    this.#tokens.push(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString());
  }
}

async function* readTitles(paths: readonly string[], limit: number): AsyncGenerator<{ id: string; title: string }> {
  let read = 0;
  for (const path of paths) {
    for await (const batch of new DocumentFile(path).batches(BATCH)) {
      for (const line of splitLines(batch.body)) {
        if (read++ === limit) return;
        yield JSON.parse(line.toString()) as { id: string; title: string };
      }
    }
  }
}

async function write(out: WriteStream, lines: string[]): Promise<void> {
  if (!out.write(lines.join(''))) await once(out, 'drain');
}

/** Writes the first `limit` documents of the files at `paths` into `folder`. Errors: those of the file system. */
export async function prepareDocuments(
  paths: readonly string[],
  limit: number,
  folder: string,
): Promise<PreparedDocuments> {
  const [jsonFile, tableFile] = ['documents.jsonl', 'documents.tsv'].map((name) => join(folder, name));
  const [json, rows] = [createWriteStream(jsonFile), createWriteStream(tableFile)];
  const tokenizer = new Tokenizer();
  const random = createRandom(1);
  const words = new Set<string>();
  const samples: (readonly string[])[] = [];
  let jsonLines: string[] = [];
  let tableLines: string[] = [];
  let count = 0;
  let texts = 0;
  const flush = async (): Promise<void> => {
    await write(json, jsonLines);
    await write(rows, tableLines);
    jsonLines = [];
    tableLines = [];
  };
  for await (const document of readTitles(paths, limit)) {
    const tokens = tokenizer.tokensOf(document.title);
    const title = tokens.join(' ');
    const line = JSON.stringify({ ...document, title });
    jsonLines.push(`${line}\n`);
    tableLines.push(`${document.id}\t${title}\t${line}\n`);
    if (++count % BATCH.documents === 0) await flush();
    if (tokens.length === 0) continue;
    for (const token of tokens) words.add(token);
    // Reservoir sampling (Vitter, algorithm R, 1985).
    const slot = texts++ < SAMPLE_DOCUMENTS ? samples.length : randomBelow(random, texts);
    if (slot < SAMPLE_DOCUMENTS) samples[slot] = tokens;
  }
  await flush();
  for (const out of [json, rows]) {
    out.end();
    await once(out, 'finish');
  }
  return { jsonFile, tableFile, count, jsonBytes: json.bytesWritten, words: [...words], samples };
}
