/**
 * Where spans are sent: what the options about OpenTelemetry come to. Pure. Called by config.ts and option-values.ts.
 */

export interface OtlpTarget {
  /** Spans are posted to it. What follows a question mark is never logged. */
  readonly url: string;
  /** What a collector wants beside: keys, mostly. Never logged. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** How many of the requests that belong to no trace begin one: 0 to 1. */
  readonly sampleRatio: number;
}

/** Where the OTLP specification has spans go. */
const TRACES_PATH = '/v1/traces';
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const VALUE = /^[\x20-\x7e]*$/;

/** The URL that spans are posted to at `endpoint`: below it, unless it names that already; null: it is no HTTP URL. */
export function tracesUrl(endpoint: string): string | null {
  if (!URL.canParse(endpoint)) return null;
  const url = new URL(endpoint);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '')
    return null;
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(TRACES_PATH) ? path : path + TRACES_PATH;
  return url.href;
}

/** The headers that `list`, "name=value,name=value", stands for; null: it is malformed. */
export function parseHeaders(list: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const each of list.split(',')) {
    const at = each.indexOf('=');
    const [name, value] = [each.slice(0, Math.max(at, 0)).trim(), each.slice(at + 1).trim()];
    if (!NAME.test(name) || !VALUE.test(value)) return null;
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
