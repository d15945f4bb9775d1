/**
 * Where the tests of the cluster find nats-server, which `.ci/nats-server` puts there. A test that misses it is skipped, and says so
 * where nobody can overlook it.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = 'v2.15.2';
const FOLDER = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sabre', 'bin');
const PROGRAM = join(FOLDER, `nats-server-${VERSION}`);

/** What `test` takes as options: nothing where nats-server is there, else the reason to skip. */
export function needingNats(): { readonly skip?: string } {
  if (existsSync(PROGRAM)) return {};
  const reason = `NOT INSTALLED: nats-server ${VERSION} (.ci/nats-server builds it with Go)`;
  process.stderr.write(`\n!!!! SKIPPED: ${reason}\n\n`);
  return { skip: reason };
}

/** Its path. Throws where it is not installed. */
export function natsServerPath(): string {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: run .ci/nats-server, which needs Go`);
  return PROGRAM;
}
