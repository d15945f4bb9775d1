/**
 * Building response bodies: hits spliced from stored bytes, numbers and strings.
 */
import { Bench } from 'tinybench';
import { JsonWriter } from '../../engine/documents/json-writer.js';
import { createRandom } from '../../perf/random.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';

const HITS = 10;
const DOCUMENT_BYTES = 500;
const VALUES = 100;
const RESPONSE_BYTES = 1 << 16;

/** One call writes one response, or VALUES values. Source and target lie in shared memory, as on a server. */
export function suite(size: SuiteSize): Bench {
  const target = new Uint8Array(new SharedArrayBuffer(RESPONSE_BYTES));
  const documents = new Uint8Array(new SharedArrayBuffer(HITS * DOCUMENT_BYTES)).fill(0x61);
  const random = createRandom(1);
  const scores = Float32Array.from({ length: VALUES }, () => 20 * random());
  const integers = Array.from({ length: VALUES }, () => Math.floor(10 ** (6 * random())));
  const plain = 'The quick brown fox jumps over the lazy dog, again and again.';
  const quoted = 'She said "no", then\n\tleft by C:\\path\\to\\door. "Ça va?" 素早い';
  const bytesOf = (text: string): Uint8Array => Buffer.from(text);
  const plainBytes = bytesOf(plain);
  const quotedBytes = bytesOf(quoted);
  const writer = new JsonWriter(target, RESPONSE_BYTES);
  const each = (write: (i: number) => void) => (): void => {
    writer.reset(target);
    for (let i = 0; i < VALUES; i++) write(i);
  };
  return new Bench(benchOptions(size, 'response building'))
    .add(`response of ${HITS} hits of ${DOCUMENT_BYTES} bytes`, () => {
      writer.reset(target);
      writer.raw('{"found":');
      writer.integer(12345);
      writer.raw(',"found_is_exact":true,"hits":[');
      for (let hit = 0; hit < HITS; hit++) {
        writer.raw(hit === 0 ? '{"document":' : ',{"document":');
        writer.rawBytes(documents, hit * DOCUMENT_BYTES, (hit + 1) * DOCUMENT_BYTES);
        writer.raw(',"text_match":');
        writer.float32(scores[hit]);
        writer.raw('}');
      }
      writer.raw('],"facets":null,"search_time_ms":');
      writer.millis(0.214);
      writer.raw('}');
    })
    .add(
      work('float32', VALUES, 'numbers'),
      each((i) => writer.float32(scores[i])),
    )
    .add(
      work('integer', VALUES, 'numbers'),
      each((i) => writer.integer(integers[i])),
    )
    .add(
      work('string, plain', VALUES * plain.length, 'characters'),
      each(() => writer.string(plain)),
    )
    .add(
      work('string, with escapes', VALUES * quoted.length, 'characters'),
      each(() => writer.string(quoted)),
    )
    .add(
      work('stringBytes, plain', VALUES * plainBytes.length, 'bytes'),
      each(() => writer.stringBytes(plainBytes, 0, plainBytes.length)),
    )
    .add(
      work('stringBytes, with escapes', VALUES * quotedBytes.length, 'bytes'),
      each(() => writer.stringBytes(quotedBytes, 0, quotedBytes.length)),
    );
}
