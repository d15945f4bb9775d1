/**
 * A snapshot store in a bucket of S3, or of what speaks like it. Signed by aws4fetch, over Node's fetch.
 *
 * Each request is tried a few times, with a deadline; errors name the request and what the server said, never a key.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { listedObjects, textOf } from './s3-answers.js';
import type { SnapshotStore, StoredObject } from './snapshot-store.js';

const TIMEOUT_MS = 60_000;
const TRIES_MAX = 4;
const FIRST_WAIT_MS = 250;

export interface S3Options {
  readonly bucket: string;
  /** Before the name of every object; '' or ending in a slash. */
  readonly prefix: string;
  /** Of another service than Amazon's, which is asked as <endpoint>/<bucket>/<name>; null: Amazon's. */
  readonly endpoint: string | null;
  /** null: us-east-1, which other services than Amazon's take. */
  readonly region: string | null;
  /** null: those in AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN. */
  readonly accessKey: string | null;
  readonly secretKey: string | null;
}

/** Opens the store; asks nobody yet. Errors: when there are no keys. */
export function openS3Store(options: S3Options, environment: NodeJS.ProcessEnv = process.env): SnapshotStore {
  const region = options.region ?? environment['AWS_REGION'] ?? 'us-east-1';
  const accessKeyId = options.accessKey ?? environment['AWS_ACCESS_KEY_ID'] ?? '';
  const secretAccessKey = options.secretKey ?? environment['AWS_SECRET_ACCESS_KEY'] ?? '';
  if (accessKeyId === '' || secretAccessKey === '') throw new Error('expected keys for the S3 store, got none');
  const sessionToken = options.accessKey === null ? environment['AWS_SESSION_TOKEN'] : undefined;
  const client = new AwsClient({ accessKeyId, secretAccessKey, sessionToken, region, service: 's3', retries: 0 });
  const base =
    options.endpoint === null
      ? `https://${options.bucket}.s3.${region}.amazonaws.com`
      : `${options.endpoint.replace(/\/+$/, '')}/${options.bucket}`;
  return new S3Store(client, base, options.prefix, `s3://${options.bucket}/${options.prefix}`);
}

/** An answer that another try will not change. */
class RefusedRequest extends Error {}

class S3Store implements SnapshotStore {
  readonly place: string;
  readonly #client: AwsClient;
  readonly #base: string;
  readonly #prefix: string;

  constructor(client: AwsClient, base: string, prefix: string, place: string) {
    this.#client = client;
    this.#base = base;
    this.#prefix = prefix;
    this.place = place;
  }

  async list(prefix: string): Promise<StoredObject[]> {
    const objects: StoredObject[] = [];
    let token: string | null = null;
    do {
      const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix: this.#prefix + prefix });
      if (token !== null) query.set('continuation-token', token);
      const answer = await this.#ask('GET', `/?${query.toString().replaceAll('+', '%20')}`, `list ${prefix}`);
      const text = Buffer.from(answer ?? new Uint8Array()).toString();
      if (!text.includes('<ListBucketResult'))
        throw new RefusedRequest(`${this.place}: cannot list ${prefix}: the answer is no list of objects`);
      for (const { name, storedAt } of listedObjects(text)) {
        if (name.startsWith(this.#prefix)) objects.push({ name: name.slice(this.#prefix.length), storedAt });
      }
      token = textOf(text, 'IsTruncated') === 'true' ? textOf(text, 'NextContinuationToken') : null;
    } while (token !== null);
    return objects;
  }

  async put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#ask('PUT', this.#pathOf(name), `put ${name}`, bytes);
  }

  get(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#ask('GET', this.#pathOf(name), `get ${name}`);
  }

  async remove(name: string): Promise<void> {
    await this.#ask('DELETE', this.#pathOf(name), `remove ${name}`);
  }

  #pathOf(name: string): string {
    return `/${(this.#prefix + name).split('/').map(encodeURIComponent).join('/')}`;
  }

  /** The body of the answer; null: nothing is there. */
  async #ask(
    method: string,
    path: string,
    what: string,
    body?: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#askOnce(method, path, body);
      } catch (error) {
        const why = reasonOf(error);
        if (error instanceof RefusedRequest || tries === TRIES_MAX) {
          throw new Error(`${this.place}: cannot ${what}: ${why}`);
        }
        await sleep(FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + Math.random()));
      }
    }
  }

  async #askOnce(
    method: string,
    path: string,
    body?: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const signed = await this.#client.sign(`${this.#base}${path}`, { method, body });
    const answer = await fetch(signed, { signal });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.ok) return bytes;
    const text = Buffer.from(bytes).toString();
    const code = textOf(text, 'Code');
    // Anything else, as of a proxy, does not say that the object is not there.
    if (answer.status === 404 && code === 'NoSuchKey') return null;
    if (answer.status === 404 && code !== 'NoSuchBucket' && method === 'DELETE') return null;
    const message = `HTTP ${answer.status}${code === null ? '' : ` ${code}`}`;
    const isPassing = answer.status >= 500 || answer.status === 429 || answer.status === 408;
    throw isPassing ? new Error(message) : new RefusedRequest(message);
  }
}

/** fetch says "fetch failed", and why in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = 'code' in cause ? String(cause.code) : cause.message;
  return `${error.message}: ${code}`;
}
