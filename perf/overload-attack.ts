/**
 * The process that overloads a server, in every way that a bad day brings, all at once. Bounded: each kind has a fixed
 * number of connections, and it ends with its parent.
 *
 * Started by overload.ts with an IPC channel: PORT ATTACK-JSON. Sends what it has seen when it is told to stop.
 */
import { connect, type Socket } from 'node:net';

export interface Attack {
  readonly seconds: number;
  /** Queries that take long: connections that each ask the next when the last is answered, and how often a second all ask. */
  readonly dearPath: string;
  readonly dearConnections: number;
  readonly dearPerSecond: number;
  /** The same, asked and left after a moment. */
  readonly abandonedPerSecond: number;
  /** Clients that want a huge answer and read it slowly. */
  readonly hugePath: string;
  readonly hugeClients: number;
  /** Uploads that bring this many bytes a second each. */
  readonly uploadPath: string;
  readonly uploads: number;
  readonly uploadBytesPerSecond: number;
}

export interface AttackReport {
  readonly dearAsked: number;
  /** By status; 0: the connection ended without an answer. */
  readonly dearAnswers: Readonly<Record<string, number>>;
  readonly abandoned: number;
  readonly hugeBytes: number;
  readonly uploadsEnded: number;
}

const ABANDON_AFTER_MS = 30;
/** A slow reader takes this many bytes, then rests. */
const SLOW_READ_BYTES = 1 << 20;
const SLOW_READ_REST_MS = 100;
/** Clients of one kind share an address: to the server each kind is one client. */
const ADDRESS = { dear: '127.0.0.2', abandoned: '127.0.0.3', huge: '127.0.0.4', upload: '127.0.0.5' } as const;

const [portText, attackText] = process.argv.slice(2) as [string, string];
const port = Number(portText);
const attack = JSON.parse(attackText) as Attack;
const counts = { dearAsked: 0, abandoned: 0, hugeBytes: 0, uploadsEnded: 0 };
const dearAnswers: Record<string, number> = {};
const untilMs = performance.now() + attack.seconds * 1000;
const isOver = (): boolean => performance.now() >= untilMs;

const open = (address: string): Socket =>
  connect({ port, host: '127.0.0.1', localAddress: address, noDelay: true }).on('error', () => {});

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** Asks dear queries on one connection, at its share of the rate or as fast as answers come, whatever is slower. */
function askDear(): void {
  const everyMs = (1000 * attack.dearConnections) / attack.dearPerSecond;
  let socket: Socket | null = null;
  let dueMs = performance.now() + Math.random() * everyMs;
  const ask = (): void => {
    if (isOver()) {
      socket?.destroy();
      return;
    }
    dueMs = Math.max(dueMs + everyMs, performance.now());
    setTimeout(send, dueMs - performance.now());
  };
  const note = (status: string): void => {
    dearAnswers[status] = (dearAnswers[status] ?? 0) + 1;
    ask();
  };
  const send = (): void => {
    if (socket === null) {
      const opened = open(ADDRESS.dear);
      socket = opened;
      opened.on('data', (chunk: Buffer) => {
        // Answers are short: the status line and all of it come together, or nearly.
        const status = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1', 0, 32))?.[1];
        if (status !== undefined) note(status);
      });
      opened.on('close', () => {
        socket = null;
        if (!isOver()) note('0');
      });
    }
    counts.dearAsked++;
    socket.write(get(attack.dearPath));
  };
  ask();
}

function abandon(): void {
  if (isOver()) return;
  const socket = open(ADDRESS.abandoned);
  socket.write(get(attack.dearPath));
  counts.abandoned++;
  setTimeout(() => socket.destroy(), ABANDON_AFTER_MS);
}

/** Wants one huge answer after the other, and reads each slowly. */
function wantHuge(): void {
  if (isOver()) return;
  const socket = open(ADDRESS.huge);
  socket.write(get(attack.hugePath));
  let read = 0;
  socket.on('data', (chunk: Buffer) => {
    counts.hugeBytes += chunk.length;
    read += chunk.length;
    if (isOver()) socket.destroy();
    else if (read >= SLOW_READ_BYTES) {
      read = 0;
      socket.pause();
      setTimeout(() => socket.resume(), SLOW_READ_REST_MS);
    }
  });
  socket.on('close', () => setTimeout(wantHuge, SLOW_READ_REST_MS));
}

function uploadSlowly(): void {
  if (isOver()) return;
  const socket = open(ADDRESS.upload);
  const bytes = 50 << 20;
  socket.write(`POST ${attack.uploadPath} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes}\r\n\r\n[`);
  const piece = ' '.repeat(attack.uploadBytesPerSecond / 10);
  const timer = setInterval(() => socket.write(piece), 100);
  socket.on('data', () => {});
  socket.on('close', () => {
    clearInterval(timer);
    counts.uploadsEnded++;
    setTimeout(uploadSlowly, 1000);
  });
}

for (let index = 0; index < attack.dearConnections; index++) askDear();
for (let index = 0; index < attack.hugeClients; index++) wantHuge();
for (let index = 0; index < attack.uploads; index++) uploadSlowly();
if (attack.abandonedPerSecond > 0) setInterval(abandon, 1000 / attack.abandonedPerSecond);
setTimeout(() => {
  process.send?.({ ...counts, dearAnswers } satisfies AttackReport, () => process.exit());
}, attack.seconds * 1000);
process.on('disconnect', () => process.exit());
