/**
 * Requests to the server that the page came from, with the key of the session. Used by every view.
 *
 * Keeps the key in memory alone, and sends it to no other server.
 */

export type FieldType = 'text' | 'keyword' | 'int' | 'float' | 'bool' | 'date';

/** A field as the server shows it, with every default filled in. */
export interface FieldView {
  readonly name: string;
  readonly type: FieldType;
  readonly facet: boolean;
  readonly filter: boolean;
  readonly sort: boolean;
  readonly index: boolean;
  readonly optional: boolean;
  readonly boost: number | null;
  readonly stem?: string | null;
}

export interface TypoTolerance {
  readonly enabled: boolean;
  readonly one_typo_min_len: number;
  readonly two_typo_min_len: number;
  readonly max_typos: number;
}

export interface CollectionView {
  readonly name: string;
  readonly fields: readonly FieldView[];
  readonly typo_tolerance: TypoTolerance;
  readonly default_sorting_field: string | null;
  readonly created_at: number;
  readonly num_documents: number;
  readonly num_segments: number;
}

/** An answer of 400 and above; `code` is the server's, 'unreachable' where there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly query?: QueryValues;
  /** A string or a blob is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

/** Returns `path` with the values of `query` that are given and not ''. */
export function pathWithQuery(path: string, query: QueryValues = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function readError(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    return new ApiError(response.status, error.code, error.message);
  } catch {
    return new ApiError(response.status, 'unknown', text.slice(0, 200) || response.statusText);
  }
}

export class Api {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  /** Sends a request and returns its answer, whose status is below 400. Errors: ApiError; AbortError when `signal` says so. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const headers = new Headers();
    if (this.key !== '') headers.set('x-service-api-key', this.key);
    if (options.contentType !== undefined) headers.set('content-type', options.contentType);
    const body =
      options.body === undefined || typeof options.body === 'string' || options.body instanceof Blob
        ? options.body
        : JSON.stringify(options.body);
    const url = pathWithQuery(path, options.query);
    let response: Response;
    try {
      response = await fetch(url, { method, headers, body: body ?? null, signal: options.signal ?? null });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new ApiError(0, 'unreachable', 'the server does not answer');
    }
    if (!response.ok) throw await readError(response);
    return response;
  }

  /** Sends a request and returns its JSON. Errors: as of send(). */
  async json<Value>(method: string, path: string, options: RequestOptions = {}): Promise<Value> {
    const response = await this.send(method, path, options);
    return (await response.json()) as Value;
  }

  /** All collections, ordered by name. */
  collections(signal?: AbortSignal): Promise<readonly CollectionView[]> {
    return this.json('GET', '/collections', signal === undefined ? {} : { signal });
  }
}
