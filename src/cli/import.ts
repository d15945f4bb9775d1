/**
 * The import command: streams documents from a file or from standard input into a collection of a running server, over HTTP.
 *
 * Registered by main.ts. Shares the machine with the server more often than not, so it decodes no JSON lines: the server
 * parses the documents, and a report is parsed only when it counts failures.
 */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { type DocumentBatch, lineOfDocument } from '../import/batch-builder.js';
import { INPUT_FORMATS } from '../import/input-format.js';
import { ApiClient, type ApiResponse, CommandError, describeFailure } from './api-client.js';
import { type ConnectionOptions, keyOption, urlOption } from './connection-options.js';
import { splitLines } from './document-batches.js';
import { collectionPath, HINTS, prepareCollection, writeProposal } from './import-collection.js';
import { ImportInput, type InputOptions, inputError } from './import-input.js';
import { formatCount, type ImportProgress, startProgress } from './import-progress.js';
import { RejectsFile, refuseInput } from './rejects-file.js';
import { RequestWindow } from './request-window.js';
import { runCommand } from './run-command.js';

const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** Of all requests under way, unless one alone takes more: what the server takes as one commit. */
const UNDER_WAY_BYTES_MAX = 16 * 1024 * 1024;
/** So that a commit takes several: fewer and larger segments are written and merged. */
const CONCURRENCY_DEFAULT = 8;
const FAILURES_SHOWN = 5;
/** What a shell reports of a command that was interrupted. */
const INTERRUPTED_STATUS = 130;
/** How a report without failures begins, so that it need not be parsed. */
const ALL_INDEXED = /^\{"num_indexed":(\d+),"num_failed":0,/;

export interface ImportOptions extends ConnectionOptions, InputOptions {
  readonly collection: string;
  readonly schema?: string;
  readonly infer?: boolean;
  /** Where the inferred schema goes instead of an import. */
  readonly dryRun?: string;
  readonly batchDocs: number;
  readonly concurrency: number;
  readonly rejects?: string;
}

export interface ImportReport {
  readonly indexed: number;
  readonly failed: number;
  readonly seconds: number;
  readonly retries: number;
}

interface BatchReport {
  readonly num_indexed: number;
  readonly num_failed: number;
  readonly results: readonly { success: boolean; id: string; error: string | null; code: string | null }[];
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected a positive integer');
  return Number(text);
}

const splitNames = (text: string): string[] => text.split(',').map((name) => name.trim());

/** Adds the import command to `program`. */
export function registerImport(program: Command): void {
  program
    .command('import')
    .description('import documents from JSON lines, a JSON array, CSV or TSV, gzipped or not, into a running server')
    .argument('<file>', '- is standard input; gzip is recognised by its content')
    .requiredOption('--collection <name>', 'collection to import into')
    .addOption(new Option('--schema <file>', 'create the collection with this schema first').conflicts('infer'))
    .option('--infer', 'create the collection with a schema proposed from a sample of all documents')
    .addOption(
      new Option('--dry-run <file>', 'with --infer: write the schema to this new file, and do nothing else').implies({
        infer: true,
      }),
    )
    .addOption(new Option('--format <format>', 'of the file (default: as it looks)').choices(INPUT_FORMATS))
    .option('--id-field <name>', 'the field, or column, whose values become ids')
    .option('--array-fields <names>', 'comma-separated columns that hold several values', splitNames)
    .option('--array-separator <text>', 'what stands between them', '|')
    .addOption(urlOption())
    .addOption(keyOption())
    .option('--batch-docs <count>', 'documents a request', positiveInteger, 10_000)
    .addOption(
      new Option('--concurrency <count>', 'requests at a time, up to 16 MiB; 1 keeps the order of duplicate ids')
        .argParser(positiveInteger)
        .default(CONCURRENCY_DEFAULT),
    )
    .option('--rejects <file>', 'write refused documents there, with the reason of each; not the input itself')
    .action((file: string, options: ImportOptions) =>
      runCommand('import', async () => {
        if (options.dryRun !== undefined) {
          await writeProposal(file, options.dryRun, options);
          return;
        }
        const interrupt = new AbortController();
        const onSignal = (): void => {
          interrupt.abort();
          process.stdin.destroy();
        };
        process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
        const report = await importFile(file, options, interrupt.signal).catch((error: unknown) => {
          if (!interrupt.signal.aborted || !(error instanceof Error)) throw error;
          process.exitCode = INTERRUPTED_STATUS;
          const message = isInterruption(error) ? ' before anything was sent' : `: ${error.message}`;
          throw new CommandError(`interrupted${message}`, { cause: error });
        });
        process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
        process.stdout.write(`${interrupt.signal.aborted ? 'interrupted: ' : ''}${describeReport(report)}\n`);
        if (report.failed > 0) process.exitCode = 1;
        if (interrupt.signal.aborted) process.exitCode = INTERRUPTED_STATUS;
      }),
    );
}

/** Whether `error` came of the interruption itself, which ends the input and what is only asked of the server. */
const isInterruption = ({ name, cause }: Error): boolean =>
  name === 'AbortError' ||
  (cause instanceof Error &&
    (cause.name === 'AbortError' || ('code' in cause && cause.code === 'ERR_STREAM_PREMATURE_CLOSE')));

/** 1,120,031 documents indexed, 0 failed, in 20.71 s (54,082 documents/s) */
function describeReport({ indexed, failed, seconds, retries }: ImportReport): string {
  const rate = formatCount((indexed + failed) / Math.max(seconds, 0.001));
  const retried = retries > 0 ? `, ${retries} requests retried` : '';
  const counts = `${formatCount(indexed)} documents indexed, ${formatCount(failed)} failed`;
  return `${counts}, in ${seconds.toFixed(2)} s (${rate} documents/s)${retried}`;
}

/**
 * Imports `path` as the options say, until `interrupted`. Errors: CommandError, with what was indexed before it in the message;
 * AbortError, when it was interrupted before the collection was looked for or made.
 */
export async function importFile(
  path: string,
  options: ImportOptions,
  interrupted = new AbortController().signal,
): Promise<ImportReport> {
  const client = new ApiClient(options.url, options.key ?? '', options.concurrency);
  const input = await ImportInput.open(path, options);
  // Who reads it, for a schema or to send it, gets an error then.
  interrupted.addEventListener('abort', () => input.file.close(), { once: true });
  try {
    if (options.rejects !== undefined) refuseInput(options.rejects, path);
    input.useTypes(await prepareCollection(client, input, options, interrupted));
    return await new Import(client, input, options, interrupted).run();
  } finally {
    client.close();
    input.file.close();
  }
}

/** One run over one file: sends batches, a few at a time, and counts. */
class Import {
  readonly #client: ApiClient;
  readonly #input: ImportInput;
  readonly #interrupted: AbortSignal;
  readonly #failure = new AbortController();
  /** No request is sent again any more. */
  readonly #stopped: AbortSignal;
  readonly #options: ImportOptions;
  readonly #rejects: RejectsFile | null;
  readonly #progress: ImportProgress;
  #indexed = 0;
  #failed = 0;

  constructor(client: ApiClient, input: ImportInput, options: ImportOptions, interrupted: AbortSignal) {
    this.#client = client;
    this.#input = input;
    this.#interrupted = interrupted;
    this.#stopped = AbortSignal.any([interrupted, this.#failure.signal]);
    this.#options = options;
    this.#rejects = options.rejects === undefined ? null : new RejectsFile(options.rejects);
    this.#progress = startProgress(input.file.bytes);
  }

  async run(): Promise<ImportReport> {
    const startedMs = performance.now();
    const failure = await this.#sendAll();
    this.#progress.stop();
    this.#rejects?.close();
    const seconds = (performance.now() - startedMs) / 1000;
    const report = { indexed: this.#indexed, failed: this.#failed, seconds, retries: this.#client.retries };
    if (failure !== null) throw new CommandError(`${failure.message}\nstopped after ${describeReport(report)}`);
    return report;
  }

  /** Keeps several requests under way; reading waits for them. Stops at the first failure, which it returns. */
  async #sendAll(): Promise<CommandError | null> {
    const { batchDocs, concurrency } = this.#options;
    const window = new RequestWindow(concurrency, UNDER_WAY_BYTES_MAX);
    let failure: CommandError | null = null;
    const fail = (error: unknown): void => {
      failure ??= inputError(this.#input.name, error);
      this.#failure.abort();
      // It may be standard input, of which nothing comes for now.
      this.#input.file.close();
    };
    try {
      for await (const batch of this.#input.file.batches({ documents: batchDocs, bytes: BATCH_BYTES_MAX })) {
        await window.room(batch.body.length);
        if (this.#stopped.aborted) break;
        window.add(this.#sendBatch(batch).catch(fail), batch.body.length);
      }
    } catch (error) {
      // The input ends with the interruption.
      if (!this.#interrupted.aborted) fail(error);
    }
    await window.end();
    return failure;
  }

  async #sendBatch(batch: DocumentBatch): Promise<void> {
    const path = `${collectionPath(this.#options.collection)}/documents`;
    const contentType = 'application/x-ndjson';
    // A document that is there already is replaced by itself.
    const request = { method: 'POST', path, body: batch.body, contentType, isRepeatable: true } as const;
    const response = await this.#client.send(request, this.#stopped);
    if (response.status !== 200) {
      throw describeFailure(
        response,
        `sending the documents from ${this.#input.file.unit} ${lineOfDocument(batch, 0)} on`,
        HINTS,
      );
    }
    this.#count(batch, response);
    this.#progress.update(this.#input.file.bytesRead, { indexed: this.#indexed, failed: this.#failed });
  }

  #count(batch: DocumentBatch, response: ApiResponse): void {
    const allIndexed = ALL_INDEXED.exec(response.body.toString('latin1', 0, 64));
    if (allIndexed !== null) {
      this.#indexed += Number(allIndexed[1]);
      return;
    }
    const report = parseReport(response);
    this.#indexed += report.num_indexed;
    const failedBefore = this.#failed;
    this.#failed += report.num_failed;
    if (report.num_failed > 0) this.#reject(batch, report, failedBefore);
  }

  /** Shows the first failures, and writes every one to the rejects file: line, id, error, code and the document. */
  #reject(batch: DocumentBatch, report: BatchReport, failedBefore: number): void {
    const lines = splitLines(batch.body);
    let shown = failedBefore;
    for (const [index, { success, id, error, code }] of report.results.entries()) {
      if (success) continue;
      const line = lineOfDocument(batch, index);
      this.#rejects?.add({ line, id, code, error }, lines[index]);
      if (shown++ < FAILURES_SHOWN) process.stderr.write(`${this.#input.file.unit} ${line}, id "${id}": ${error}\n`);
    }
    this.#rejects?.flush();
  }
}

function parseReport(response: ApiResponse): BatchReport {
  try {
    return JSON.parse(response.body.toString('utf8')) as BatchReport;
  } catch (error) {
    throw new CommandError('the server answered a batch with something that is no JSON', { cause: error });
  }
}
