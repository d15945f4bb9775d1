/**
 * The part of a uWebSockets.js request that this server uses. What another thread hands on looks the same (http-threads/).
 */

export interface RequestPort {
  /** Names in lower case. */
  forEach(visit: (name: string, value: string) => void): void;
  getCaseSensitiveMethod(): string;
  getUrl(): string;
  /** Without the '?'. */
  getQuery(): string | undefined;
  /** The first of that name; '' when there is none. */
  getHeader(name: string): string;
}
