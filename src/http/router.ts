/**
 * Finds the route of a path. Routes are few and fixed: a small tree of path segments, built once at start-up.
 *
 * Matches the path as sent, before percent-decoding, so that a document id may hold an encoded slash.
 */
import type { AccessLevel } from './auth.js';
import type { Exchange, MatchedRoute } from './exchange.js';
import { checkRaw, decodePercent, parseQueryString, type QueryPair } from './query-string.js';
import { noteOthers } from './unknown-parameters.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const OWN = 'own';
const NO_PARAMETERS: readonly string[] = [];

export interface Endpoint {
  readonly access: AccessLevel;
  /** Applies `exchange.scope`. A scoped key may use no other endpoint of reads. */
  readonly isScoped?: true;
  /**
   * Names of the query parameters it knows; `exchange.values` holds their values in this order. OWN: it reads the query string
   * by itself.
   */
  readonly parameters?: readonly string[] | typeof OWN;
  /** Answers the exchange, now or later. A thrown error is answered by the server. */
  readonly handle: (exchange: Exchange) => void;
}

/** What a path offers. `template` names it in metrics and logs, e.g. `/collections/{name}/search`. */
export interface RouteDefinition {
  readonly template: string;
  readonly endpoints: Partial<Record<Method, Endpoint>>;
}

export interface Route extends RouteDefinition, MatchedRoute {}

interface PathNode {
  readonly literals: Map<string, PathNode>;
  parameter: PathNode | null;
  route: Route | null;
}

const createNode = (): PathNode => ({ literals: new Map(), parameter: null, route: null });

function allowHeader(definition: RouteDefinition): string {
  return Object.keys(definition.endpoints)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ');
}

/** Paths that are remembered, and their length. */
const REMEMBERED_MAX = 256;
const REMEMBERED_CHARS_MAX = 128;

/** A route with the raw text of its parameters, in the order of its template. Requests share it. */
export interface Match {
  readonly route: Route;
  readonly parameters: readonly string[];
}

export class Router {
  readonly #root = createNode();
  /** Of paths with at most one parameter, which are asked for again and again. */
  readonly #remembered = new Map<string, Match>();

  constructor(definitions: readonly RouteDefinition[]) {
    for (const definition of definitions) this.#add({ ...definition, allow: allowHeader(definition) });
  }

  #add(route: Route): void {
    let node = this.#root;
    for (const segment of route.template === '/' ? [] : route.template.slice(1).split('/')) {
      let next = segment.startsWith('{') ? node.parameter : node.literals.get(segment);
      if (!next) {
        next = createNode();
        if (segment.startsWith('{')) node.parameter = next;
        else node.literals.set(segment, next);
      }
      node = next;
    }
    node.route = route;
  }

  /**
   * Returns the route of `path` (from the first '/', without the query string); null: it has none. One trailing slash is ignored; an
   * empty segment matches nothing.
   */
  match(path: string): Match | null {
    const known = this.#remembered.get(path);
    if (known !== undefined) return known;
    const parameters: string[] = [];
    const route = this.#find(path, parameters);
    if (route === null) return null;
    const match: Match = { route, parameters };
    if (parameters.length <= 1 && path.length <= REMEMBERED_CHARS_MAX) {
      if (this.#remembered.size === REMEMBERED_MAX) this.#remembered.clear();
      this.#remembered.set(path, match);
    }
    return match;
  }

  /** The route of `path`, or null; appends the raw text of its parameters to `parameters`. */
  #find(path: string, parameters: string[]): Route | null {
    if (path === '/') return this.#root.route;
    let end = path.length;
    if (end > 1 && path.charCodeAt(end - 1) === SLASH) end -= 1;
    let node: PathNode | null = this.#root;
    let start = 1;
    while (node !== null && start <= end) {
      let stop = path.indexOf('/', start);
      if (stop < 0 || stop > end) stop = end;
      if (stop === start) return null;
      const segment = path.slice(start, stop);
      const literal = node.literals.get(segment);
      if (literal !== undefined) {
        node = literal;
      } else {
        if (node.parameter !== null) parameters.push(segment);
        node = node.parameter;
      }
      start = stop + 1;
    }
    return node === null ? null : node.route;
  }
}

const SLASH = 0x2f;

/** Returns the decoded path parameter `raw`. Throws `invalid_query` when it is not percent-encoded UTF-8. */
export function decodePathSegment(raw: string): string {
  checkRaw(raw, 'path');
  return raw.includes('%') ? decodePercent(raw, 'path') : raw;
}

/** Has `endpoint` answer `exchange`. Throws `invalid_query` when its query string cannot be read. */
export function enterEndpoint({ parameters = NO_PARAMETERS, handle }: Endpoint, exchange: Exchange): void {
  if (parameters !== OWN && exchange.head.query !== '') {
    const others: QueryPair[] = [];
    exchange.values = parseQueryString(exchange.head.query, parameters, others);
    noteOthers(exchange, others);
  }
  handle(exchange);
}
