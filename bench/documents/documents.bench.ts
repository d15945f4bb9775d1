/**
 * Taking a body of documents apart: the JSON check and split, reading each document against its schema, and ids.
 */
import { Bench } from 'tinybench';
import { DocumentReader, type DocumentSink } from '../../engine/documents/document-reader.js';
import { IdTableBuilder, IdTableReader } from '../../engine/documents/id-table.js';
import { splitBatch } from '../../engine/documents/json-scanner.js';
import { jsonToMsgpack, msgpackToJson } from '../../engine/documents/msgpack.js';
import { RowPacker } from '../../engine/documents/row-packer.js';
import { DICTIONARY_BYTES_MAX } from '../../engine/layout/documents.js';
import { benchOptions, type SuiteSize, work } from '../suites.js';
import { makeProducts, PRODUCTS } from '../support/corpus.js';
import { writeOnce, writeViews } from '../support/engine-memory.js';
import { Vocabulary } from '../support/zipf.js';

const IGNORE: DocumentSink = { id: () => {}, text: () => {}, keyword: () => {}, number: () => {} };
const LOOKUPS = 1000;

function addIds(bench: Bench, count: number): void {
  const builder = new IdTableBuilder();
  const ids = Array.from({ length: count }, (_, doc) => Buffer.from(`product-${doc}`));
  for (const id of ids) builder.add(id, 0, id.length);
  let offset = 0;
  const views = writeViews(builder.sizeBound(), (out) => {
    offset = builder.write(out);
  });
  const table = new IdTableReader(views, offset);
  const absent = ids.map((id) => Buffer.concat([id, Buffer.from('x')]));
  const find = (wanted: readonly Buffer[]) => (): void => {
    for (let i = 0; i < LOOKUPS; i++) {
      const id = wanted[(i * 7919) % count];
      table.find(id, 0, id.length);
    }
  };
  bench
    .add(work(`id table of ${count}, write`, count, 'ids'), () => {
      writeOnce(builder.sizeBound(), (out) => {
        builder.write(out);
        return out.align(4);
      });
    })
    .add(work(`id table of ${count}, find`, LOOKUPS, 'ids'), find(ids))
    .add(work(`id table of ${count}, find what is not there`, LOOKUPS, 'ids'), find(absent));
}

/** Packs the documents of `body` with a dictionary of some of them, as a merge does. */
function addPacking(bench: Bench, body: Uint8Array): void {
  const { starts, ends, count } = splitBatch(body, 'json');
  const packer = new RowPacker();
  const wanted = RowPacker.samples(DICTIONARY_BYTES_MAX);
  const every = Math.max(1, Math.floor(count / wanted));
  const samples: Uint8Array[] = [];
  for (let i = 0; i < count; i += every) samples.push(RowPacker.sample(body, starts[i], ends[i]));
  bench.add(work('RowPacker', body.length, 'bytes'), () => {
    packer.begin(DICTIONARY_BYTES_MAX, samples, () => {});
    for (let i = 0; i < count; i++) packer.add(body, starts[i], ends[i]);
    packer.flush();
  });
}

/** One call takes one body, or looks many ids up. */
export function suite(size: SuiteSize): Bench {
  const count = size === 'tiny' ? 20 : 5000;
  const body = makeProducts(0, count, new Vocabulary(size === 'tiny' ? 100 : 50_000, 1), 2);
  const lines = Buffer.from(Buffer.from(body).toString().slice(1, -1).replaceAll('},{', '}\n{'));
  const batch = splitBatch(body, 'json');
  const reader = new DocumentReader(PRODUCTS);
  const packed = jsonToMsgpack(body);
  const bench = new Bench(benchOptions(size, `documents, a body of ${count} in ${body.length} bytes`, true))
    .add(work('splitBatch, json', body.length, 'bytes'), () => void splitBatch(body, 'json'))
    .add(work('splitBatch, ndjson', lines.length, 'bytes'), () => void splitBatch(lines, 'ndjson'))
    .add(work('DocumentReader', body.length, 'bytes'), () => {
      for (let i = 0; i < count; i++) reader.read(body, batch.starts[i], batch.ends[i], IGNORE);
    })
    .add(work('msgpackToJson', packed.length, 'bytes'), () => void msgpackToJson(packed));
  addPacking(bench, body);
  addIds(bench, size === 'tiny' ? 50 : 100_000);
  return bench;
}
