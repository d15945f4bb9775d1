/**
 * The log of the server: JSON lines on standard output, readable text when that is a terminal.
 *
 * Never given a key, a document or a request body.
 */
import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** Returns the root logger, writing entries of `level` and above; `isTerminal`: for people. */
export function createLogger(level: string, isTerminal = process.stdout.isTTY === true): Logger {
  const options = { level, base: undefined };
  if (!isTerminal) return pino(options, pino.destination({ dest: 1, sync: true }));
  return pino(options, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' }));
}
