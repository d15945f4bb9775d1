/**
 * The export command: writes the documents of a collection of a running server, as they are at one moment, to a file or to standard
 * output.
 *
 * Registered by main.ts. A file appears under its name when it is complete, and never half of it. What is no regular
 * file, as a device or a pipe, is written to as it is.
 */
import { createWriteStream, existsSync, fstatSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Command, Option } from 'commander';
import { ApiClient, CommandError, describeFailure } from './api-client.js';
import { type ConnectionOptions, keyOption, urlOption } from './connection-options.js';
import { formatCount, startDocumentProgress } from './import-progress.js';
import { asGiven, JOIN_FILTERS, once } from './once.js';
import { existsAlready, isSpecialFile, isTaken } from './output-file.js';
import { runCommand } from './run-command.js';

const NEWLINE = 10;
const STANDARD_OUTPUT = 1;
/** What to do about a file that is there already. */
const ADVICE = 'give another name, or --force';
/** What a shell reports of a command that was interrupted. */
const INTERRUPTED_STATUS = 130;

export interface ExportOptions extends ConnectionOptions {
  readonly collection: string;
  readonly output: string;
  readonly filter?: string;
  readonly includeFields?: string;
  readonly excludeFields?: string;
  readonly format: 'ndjson' | 'json';
  readonly force?: boolean;
}

/** Adds the export command to `program`. */
export function registerExport(program: Command): void {
  program
    .command('export')
    .description('write the documents of a collection, as they are at one moment, to a file or to standard output')
    .requiredOption('--collection <name>', 'collection to export')
    .option('--output <file>', 'where to; gzipped when it ends with .gz; - is standard output', '-')
    .option('--force', 'replace the file when it exists')
    .option('--filter <expression>', 'only documents that pass, e.g. price:<30', once(asGiven, JOIN_FILTERS))
    .option(
      '--include-fields <names>',
      'comma-separated top-level fields that are written (default: all)',
      once(asGiven),
    )
    .option('--exclude-fields <names>', 'comma-separated top-level fields that are not', once(asGiven))
    .addOption(
      new Option('--format <format>', 'a document a line, or one array').choices(['ndjson', 'json']).default('ndjson'),
    )
    .addOption(urlOption())
    .addOption(keyOption())
    .action((options: ExportOptions) =>
      runCommand('export', async () => {
        const interrupt = new AbortController();
        const onSignal = (): void => interrupt.abort();
        process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
        process.stderr.write(`${await exportDocuments(options, interrupt.signal)}\n`);
        process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
        if (interrupt.signal.aborted) process.exitCode = INTERRUPTED_STATUS;
      }),
    );
}

/**
 * Exports as the options say, until `interrupted`, and returns the line to print. Errors: CommandError; no file is left then
 * that was not there before.
 */
export async function exportDocuments(options: ExportOptions, interrupted: AbortSignal): Promise<string> {
  const { output, collection } = options;
  const isNamed = output !== '-';
  const isFile = isNamed && !isSpecialFile(output);
  const mayReplace = options.force === true;
  if (isFile && !mayReplace && existsSync(output)) throw existsAlready(output, ADVICE);
  const client = new ApiClient(options.url, options.key ?? '', 1);
  const path = `/collections/${encodeURIComponent(collection)}`;
  try {
    const view = await client.send({ method: 'GET', path }, interrupted);
    if (view.status !== 200) throw describeFailure(view, `looking for collection "${collection}"`);
    const { num_documents: total } = JSON.parse(view.body.toString()) as { num_documents: number };
    const accept = options.format === 'json' ? 'application/json' : 'application/x-ndjson';
    const body = await client.open(
      `${path}/documents${parametersOf(options)}`,
      accept,
      `exporting "${collection}"`,
      interrupted,
    );
    const counter = new DocumentCounter(options.format, options.filter === undefined ? total : null);
    const startedMs = performance.now();
    try {
      if (isFile) await writeBeside(output, mayReplace, (file) => copy(body, counter, output, file, interrupted));
      else if (isNamed) await copy(body, counter, output, createWriteStream(output), interrupted);
      else await copyToStandardOutput(body, counter, interrupted);
    } catch (error) {
      if (interrupted.aborted)
        return `interrupted after ${counter.described}${isFile ? `; ${output} was not written` : ''}`;
      if (error instanceof CommandError) throw error;
      // As of "| head": what was wanted has been read.
      if (isClosedPipe(error) && !isNamed) return `nobody reads on after ${counter.described}`;
      throw exportError(error, body, counter, isNamed ? output : 'standard output');
    } finally {
      counter.stop();
    }
    const seconds = (performance.now() - startedMs) / 1000;
    return `${counter.described} exported in ${seconds.toFixed(2)} s${isNamed ? ` to ${output}` : ''}`;
  } catch (error) {
    if (interrupted.aborted) return 'interrupted before anything was exported';
    throw error;
  } finally {
    client.close();
  }
}

function parametersOf({ filter, includeFields, excludeFields }: ExportOptions): string {
  const given = Object.entries({ filter, include_fields: includeFields, exclude_fields: excludeFields });
  const pairs = given.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Copies the documents to `file`, gzipped when its name, `output`, says so. */
function copy(
  body: IncomingMessage,
  counter: Transform,
  output: string,
  file: Writable,
  signal: AbortSignal,
): Promise<void> {
  if (!output.endsWith('.gz')) return pipeline(body, counter, file, { signal });
  return pipeline(body, counter, createGzip({ level: 1 }), file, { signal });
}

/**
 * Copies the documents to standard output. Where that is a file, process.stdout may write the beginning of a chunk alone, as on a
 * disk that gets full, and tells nobody.
 */
function copyToStandardOutput(body: IncomingMessage, counter: Transform, signal: AbortSignal): Promise<void> {
  if (!fstatSync(STANDARD_OUTPUT).isFile()) return pipeline(body, counter, process.stdout, { signal, end: false });
  return pipeline(body, counter, createWriteStream('', { fd: STANDARD_OUTPUT, autoClose: false }), { signal });
}

/** Has `write` write a file beside `output`, which gets that name at the end. Errors: those of `write`; CommandError. */
async function writeBeside(
  output: string,
  mayReplace: boolean,
  write: (file: Writable) => Promise<void>,
): Promise<void> {
  const partial = `${output}.${process.pid}.part`;
  try {
    await write(createWriteStream(partial, { flags: 'wx' }));
    if (!mayReplace) await linkAs(partial, output);
    else await rename(partial, output);
  } finally {
    await rm(partial, { force: true });
  }
}

/** Gives the file `partial` the name `output` too, unless a file has it. */
async function linkAs(partial: string, output: string): Promise<void> {
  try {
    await link(partial, output);
  } catch (error) {
    if (isTaken(error) || existsSync(output)) throw existsAlready(output, ADVICE);
    // A file system without hard links.
    await rename(partial, output);
  }
}

const isClosedPipe = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EPIPE';

/** Of the system, about a file: those of the connection come of reading. */
const isWriteError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && (error.syscall === 'open' || error.syscall === 'write');

function exportError(error: unknown, body: IncomingMessage, counter: DocumentCounter, target: string): CommandError {
  const reason = error instanceof Error ? error.message : String(error);
  if (isWriteError(error))
    return new CommandError(`cannot write ${target}, after ${counter.described}: ${reason}`, { cause: error });
  const what = body.complete ? reason : `the server ended the export early (${reason}); its log says why`;
  return new CommandError(`after ${counter.described}: ${what}`, { cause: error });
}

/** Counts the documents that pass, by lines, and shows how far the export is. */
class DocumentCounter extends Transform {
  readonly #isCounted: boolean;
  readonly #progress: ReturnType<typeof startDocumentProgress>;
  #documents = 0;
  #bytes = 0;

  /** `total`: of all documents; null: not known. */
  constructor(format: ExportOptions['format'], total: number | null) {
    super();
    this.#isCounted = format === 'ndjson';
    this.#progress = startDocumentProgress(total);
  }

  /** 1,120,031 documents */
  get described(): string {
    return this.#isCounted ? `${formatCount(this.#documents)} documents` : `${formatCount(this.#bytes)} bytes`;
  }

  stop(): void {
    this.#progress.stop();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.#bytes += chunk.length;
    if (this.#isCounted) {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) this.#documents++;
      this.#progress.update(this.#documents);
    }
    done(null, chunk);
  }
}
