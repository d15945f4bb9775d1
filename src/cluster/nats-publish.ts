/**
 * One attempt to have a message stored by JetStream, and what became of it. Used by nats-stream.ts and nats-leases.ts.
 *
 * Must never call an attempt "not stored" that may be stored yet: only what no server has taken, or what a server has refused before it
 * was proposed to the others.
 */
import { JetStreamApiCodes } from '@nats-io/jetstream';
import { type MsgHdrs, NoRespondersError, RequestError } from '@nats-io/transport-node';
import type { NatsLink } from './nats-link.js';
import { reasonOf } from './nats-reason.js';
import type { PublishOutcome } from './stream-port.js';

/** Codes of refusals before a message is proposed: too big, no account resources, another stream. */
const REFUSALS = new Set([10054, 10060, 10023, 10047]);
const OVERTAKEN = new Set<number>([
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
]);

/** NATS/1.0, its names and numbers: what the headers of a message take of its payload at most. */
export const HEADER_BYTES_MAX = 512;

interface PublishAnswer {
  readonly seq?: number;
  readonly error?: { readonly err_code: number; readonly description: string };
}

/** Never rejects. */
export async function publishOnce(
  link: NatsLink,
  subject: string,
  bytes: Uint8Array,
  headers: MsgHdrs,
  timeoutMs: number,
): Promise<PublishOutcome> {
  if (!link.isConnected || link.connection.isClosed())
    return { kind: 'not stored', reason: 'no NATS server is connected' };
  const largest = link.connection.info?.max_payload ?? Number.MAX_SAFE_INTEGER;
  if (bytes.length + HEADER_BYTES_MAX > largest)
    return { kind: 'refused', reason: `${bytes.length} bytes are more than the NATS server takes (${largest})` };
  try {
    const { data } = await link.connection.request(subject, bytes, { timeout: timeoutMs, headers });
    const outcome = outcomeOf(JSON.parse(new TextDecoder().decode(data)) as PublishAnswer);
    // A leader that has lost its majority and does not know it yet may take a message for overtaken.
    if (outcome.kind === 'overtaken') link.noteInVain('another message came before');
    else if (outcome.kind === 'unknown') link.noteInVain(outcome.reason);
    else link.noteDone(outcome.kind === 'stored' ? null : outcome.reason);
    return outcome;
  } catch (error) {
    const isNobody = error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
    const reason = isNobody ? 'the stream has no leader' : reasonOf(error);
    link.noteInVain(reason);
    return { kind: isNobody ? 'not stored' : 'unknown', reason };
  }
}

function outcomeOf({ seq, error }: PublishAnswer): PublishOutcome {
  if (error === undefined)
    return seq === undefined ? { kind: 'unknown', reason: 'no sequence' } : { kind: 'stored', sequence: seq };
  if (OVERTAKEN.has(error.err_code)) return { kind: 'overtaken' };
  return { kind: REFUSALS.has(error.err_code) ? 'refused' : 'unknown', reason: error.description };
}
