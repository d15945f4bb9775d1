/**
 * A server that speaks as S3 does, for tests: moto, which `.ci/s3-server` installs. A machine that cannot have it skips them, loudly.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from './project.js';

const START_MS = 60_000;

const { status, stdout, stderr } = spawnSync(join(PROJECT_ROOT, '.ci/s3-server'), { encoding: 'utf8' });

/** What `test` takes as options: nothing where the server is there, else the reason to skip. */
export function needingS3(): { readonly skip?: string } {
  if (status === 0) return {};
  const reason = `NOT INSTALLED: moto (.ci/s3-server: ${stderr.trim().split('\n').at(-1) ?? ''})`;
  process.stderr.write(`\n!!!! SKIPPED: ${reason}\n\n`);
  return { skip: reason };
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

export interface S3Server {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Starts one with the empty bucket `bucket` at `address`, and a port that is free or given. */
export async function startS3(bucket: string, address = '127.0.0.1', fixedPort?: number): Promise<S3Server> {
  const port = fixedPort ?? (await freePort());
  const running: ChildProcess = spawn(stdout.trim(), ['-H', address, '-p', String(port)], { stdio: 'ignore' });
  const endpoint = `http://${address}:${port}`;
  const until = Date.now() + START_MS;
  for (;;) {
    const answer = await fetch(`${endpoint}/${bucket}`, { method: 'PUT' }).catch(() => null);
    if (answer?.ok === true) break;
    if (Date.now() > until) throw new Error('the S3 server does not answer');
    await sleep(100);
  }
  const close = async (): Promise<void> => {
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill();
    await ended;
  };
  return { endpoint, close };
}
