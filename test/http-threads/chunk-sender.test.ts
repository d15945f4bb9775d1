/**
 * Chunks on their way to a client that takes as little as it likes: all of them, in order, and never called taken too soon.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChunkSender } from '../../src/http/chunk-sender.js';
import type { ResponsePort } from '../../src/http/response-port.js';

/** What is held back. */
const HELD_BYTES = 1024;

/** A socket that takes what it is let, with the library's memory of what it did not take. */
class SlowSocket {
  readonly sent: number[] = [];
  readonly kept: number[] = [];
  isEnded = false;
  #room = 0;
  #onWritable: (offset: number) => boolean = () => true;

  readonly port = {
    write: (chunk: Uint8Array): boolean => {
      this.kept.push(...chunk);
      this.#flush();
      return this.kept.length === 0;
    },
    end: (chunk: Uint8Array): void => {
      this.kept.push(...chunk);
      this.isEnded = true;
    },
    onWritable: (handler: (offset: number) => boolean): void => {
      this.#onWritable = handler;
    },
  } as unknown as ResponsePort;

  /** The client takes up to `bytes`. */
  take(bytes: number): void {
    this.#room = bytes;
    this.#flush();
    if (!this.isEnded) this.#onWritable(this.sent.length);
    this.#room = 0;
  }

  #flush(): void {
    const taken = this.kept.splice(0, this.#room);
    this.#room -= taken.length;
    this.sent.push(...taken);
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('send' as const), bytes: fc.integer({ min: HELD_BYTES + 1, max: 3000 }) }),
  fc.record({ kind: fc.constant('take' as const), bytes: fc.nat(4000) }),
);

test('every byte is sent once and in order, and told as taken when all but little of it is', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(3000), (steps, last) => {
      const socket = new SlowSocket();
      let toldBytes = 0;
      const sender = new ChunkSender(socket.port, (bytes) => {
        assert.ok(bytes >= toldBytes);
        assert.ok(bytes - socket.sent.length <= HELD_BYTES);
        toldBytes = bytes;
      });
      const expected: number[] = [];
      const chunkOf = (bytes: number): Uint8Array<ArrayBuffer> => {
        const chunk = Uint8Array.from({ length: bytes }, (_, i) => (expected.length + i) % 251);
        expected.push(...chunk);
        return chunk;
      };
      for (const { kind, bytes } of steps) {
        if (kind === 'send') sender.send(chunkOf(bytes));
        else socket.take(bytes);
      }
      let endedAfter = -1;
      sender.end(chunkOf(last), () => {
        endedAfter = socket.sent.length;
      });
      for (let i = 0; i < 2 * HELD_BYTES && endedAfter < 0; i++) socket.take(100);
      assert.ok(
        endedAfter >= expected.length - 2 * HELD_BYTES,
        'it is not ended before its client has taken nearly all',
      );
      socket.take(Number.POSITIVE_INFINITY);
      assert.deepEqual(socket.sent, expected);
    }),
  );
});

test('a client that takes everything is waited for by nobody', () => {
  const socket = new SlowSocket();
  let toldBytes = 0;
  const sender = new ChunkSender(socket.port, (bytes) => {
    toldBytes = bytes;
  });
  sender.send(new Uint8Array(5000));
  assert.equal(toldBytes, 0);
  socket.take(10_000);
  assert.equal(toldBytes, 5000);
});
