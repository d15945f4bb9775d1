/**
 * How the clients of a crash campaign send a request, and what they make of answers that they did not expect.
 */
import type { Client, Reply } from '../../support/client.js';
import type { Random } from '../../support/simulated-random.js';
import type { Registers, Report, Version } from './ledger.js';
import type { RandomContent } from './random-content.js';

/** What all clients of one campaign share. */
export interface Traffic {
  readonly client: Client;
  readonly random: Random;
  readonly content: RandomContent;
  readonly report: Report;
  /** The server was told to end: from now on it may refuse, and connections may break. */
  isEnding: boolean;
  readonly counts: { writes: number; searches: number; snapshots: number; exports: number };
}

/** Ends a client: the server is gone. */
export class ConnectionLost extends Error {}

export async function send(traffic: Traffic, request: () => Promise<Reply>): Promise<Reply> {
  try {
    return await request();
  } catch (error) {
    if (!traffic.isEnding) traffic.report('mismatch', `a connection broke by itself: ${String(error)}`);
    throw new ConnectionLost();
  }
}

/** Whether the server answered that it is ending. */
const isTurnedAway = (traffic: Traffic, reply: Reply): boolean => traffic.isEnding && reply.status === 503;

/** Reports an answer that is none of an ending server's. */
export function unexpected(traffic: Traffic, what: string, reply: Reply): void {
  if (isTurnedAway(traffic, reply)) return;
  traffic.report('mismatch', `${what}: answered ${reply.status} ${reply.text.slice(0, 300)}`);
}

/** Sends a write of `versions` into `registers`; true: it is done, as `isDone` says of the answer. */
export async function writeRegisters(
  traffic: Traffic,
  registers: Registers,
  what: string,
  versions: ReadonlyMap<string, Version>,
  request: () => Promise<Reply>,
  isDone: (reply: Reply) => boolean,
): Promise<boolean> {
  const write = registers.begin(versions);
  const reply = await send(traffic, request);
  if (isDone(reply)) {
    registers.acknowledge(write);
    traffic.counts.writes++;
    return true;
  }
  registers.refuse(write);
  unexpected(traffic, what, reply);
  return false;
}
