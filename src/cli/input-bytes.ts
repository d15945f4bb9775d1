/**
 * The bytes of an input of the import command: a file, which can be read again, or standard input, which cannot. Gzip is recognised by
 * its content.
 */
import { closeSync, createReadStream, openSync, type ReadStream, readSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const READ_CHUNK_BYTES = 256 * 1024;
/** What is kept of an input that can be read only once while it is looked at. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

export interface InputBytes {
  /** On disk; 0: not known. */
  readonly bytes: number;
  /** Of them. */
  readonly bytesRead: number;
  /** All of the input, unzipped. Errors: those of the file system, and of a damaged gzip file. */
  chunks(): AsyncGenerator<Buffer>;
  /** The same, for a look at it: of an input that can be read only once, the beginning, which chunks() gives again. */
  preview(): AsyncGenerator<Buffer>;
  /** Whether what chunks() or preview() gave, once that has ended, was all of the input: a beginning may end in the middle of a document. */
  readonly isWhole: boolean;
  /** No more is wanted: who waits for the next bytes gets an error, and the input keeps no process alive. */
  close(): void;
}

/** The first bytes of `input`, none of an empty one. */
export async function headOf(input: InputBytes): Promise<Buffer> {
  for await (const chunk of input.preview()) return chunk;
  return Buffer.alloc(0);
}

const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;

export class FileBytes implements InputBytes {
  readonly #path: string;
  readonly #isGzip: boolean;
  readonly bytes: number;
  readonly isWhole = true;
  #stream: ReadStream | null = null;
  /** What chunks() reads: it alone tells who waits for it that no more comes. */
  #unzipped: Readable | null = null;

  /** Errors: those of the file system. */
  constructor(path: string) {
    this.#path = path;
    this.bytes = statSync(path).size;
    this.#isGzip = isGzip(firstBytes(path));
  }

  get bytesRead(): number {
    return this.#stream?.bytesRead ?? 0;
  }

  preview(): AsyncGenerator<Buffer> {
    return this.chunks();
  }

  close(): void {
    this.#unzipped?.destroy();
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const file = createReadStream(this.#path, { highWaterMark: READ_CHUNK_BYTES });
    this.#stream = file;
    const gunzip = this.#isGzip ? createGunzip({ chunkSize: READ_CHUNK_BYTES }) : null;
    if (gunzip !== null) {
      file.on('error', (error) => gunzip.destroy(error));
      file.pipe(gunzip);
    }
    this.#unzipped = gunzip ?? file;
    try {
      for await (const chunk of this.#unzipped) yield chunk as Buffer;
    } finally {
      file.destroy();
      gunzip?.destroy();
    }
  }
}

function firstBytes(path: string): Buffer {
  const fd = openSync(path, 'r');
  try {
    const magic = Buffer.alloc(2);
    readSync(fd, magic, 0, 2, 0);
    return magic;
  } finally {
    closeSync(fd);
  }
}

export class StreamBytes implements InputBytes {
  readonly bytes = 0;
  readonly bytesRead = 0;
  isWhole = false;
  readonly #stream: Readable;
  readonly #source: AsyncIterator<Buffer>;
  #unzipped: AsyncIterator<Buffer> | null = null;
  /** Read and to be given again. */
  #kept: Buffer[] = [];
  #keptBytes = 0;

  constructor(stream: Readable) {
    this.#stream = stream;
    this.#source = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async *preview(): AsyncGenerator<Buffer> {
    yield* this.#kept;
    while (this.#keptBytes < KEPT_BYTES_MAX) {
      const chunk = await this.#next();
      if (chunk === null) return;
      this.#kept.push(chunk);
      this.#keptBytes += chunk.length;
      yield chunk;
    }
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (let kept = this.#kept.shift(); kept !== undefined; kept = this.#kept.shift()) yield kept;
    for (let chunk = await this.#next(); chunk !== null; chunk = await this.#next()) yield chunk;
  }

  close(): void {
    this.#stream.destroy();
  }

  async #next(): Promise<Buffer | null> {
    this.#unzipped ??= await this.#open();
    const { value, done } = await this.#unzipped.next();
    if (done !== true) return value;
    this.isWhole = true;
    return null;
  }

  async #open(): Promise<AsyncIterator<Buffer>> {
    const source = this.#source;
    const first = await source.next();
    const all = (async function* () {
      for (let read = first; read.done !== true; read = await source.next()) yield read.value;
    })();
    if (first.done === true || !isGzip(first.value)) return all;
    const gunzip = createGunzip({ chunkSize: READ_CHUNK_BYTES });
    const zipped = Readable.from(all);
    zipped.on('error', (error) => gunzip.destroy(error));
    return zipped.pipe(gunzip)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }
}
