/**
 * The addresses of a client, and in which order a request goes through them: as they were given, but those that failed lately
 * behind the others. Asked by the transport at the beginning of each request.
 *
 * An address that failed is asked at the side whether it serves again, once in a while, so that no request waits for one
 * that hangs.
 */

/** How long an address that failed is left alone. */
const REST_MS = 5000;

export interface Addresses {
  readonly count: number;
  /** All of them, the best first. Also sees to it that those which have rested are asked. */
  inOrder(): readonly string[];
  noteAnswer(address: string): void;
  noteFailure(address: string): void;
}

/** The address of a server without a slash at its end. Errors: TypeError for what is none, or holds a password, which fetch refuses. */
function readAddress(url: string): string {
  const page = (globalThis as { location?: { href?: string } }).location?.href;
  const { href, username, password, host } = new URL(url, page);
  if (username + password !== '') throw new TypeError(`the url of ${host} has a user or password`);
  return href.replace(/\/+$/, '');
}

/** `isUp` asks an address whether it serves; that it fails is a no. */
export function createAddresses(
  urls: string | readonly string[],
  isUp: (address: string) => Promise<boolean>,
  nowMs: () => number = () => performance.now(),
): Addresses {
  const all = [...new Set([urls].flat().map(readAddress))];
  if (all.length === 0) throw new TypeError('no url is given');
  /** Addresses that failed, and when each may be asked. */
  const resting = new Map<string, number>();
  const isResting = (address: string): boolean => resting.has(address);
  const noteFailure = (address: string): void => {
    if (all.length > 1) resting.set(address, nowMs() + REST_MS);
  };
  const noteAnswer = (address: string): void => {
    resting.delete(address);
  };

  return {
    count: all.length,
    inOrder() {
      for (const [address, untilMs] of resting) {
        if (untilMs > nowMs()) continue;
        // It rests on while it is asked, and once more when it does not serve.
        noteFailure(address);
        isUp(address).then(
          (is) => is && noteAnswer(address),
          () => {},
        );
      }
      return [...all.filter((each) => !isResting(each)), ...all.filter(isResting)];
    },
    noteAnswer,
    noteFailure,
  };
}
