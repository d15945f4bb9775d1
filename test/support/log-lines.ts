/**
 * What a server of a test has logged, line by line.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server.js';

export type LogLine = Readonly<Record<string, unknown>>;

/** The lines so far whose message is `message`. The last one may not be whole yet. */
export function logLines({ log }: Server, message: string): LogLine[] {
  const whole = log.split('\n').slice(0, -1);
  const lines = whole.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
  return lines.filter(({ msg }) => msg === message);
}

/** The first of them that is as wanted, once it is there. */
export async function untilLogged(
  server: Server,
  message: string,
  isWanted: (line: LogLine) => boolean,
): Promise<LogLine> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const found = logLines(server, message).find(isWanted);
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`no line "${message}" as wanted in:\n${server.log.slice(-8000)}`);
    await sleep(20);
  }
}
