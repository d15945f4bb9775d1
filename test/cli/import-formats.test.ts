/**
 * What the import command reads: arrays, CSV and TSV become the JSON lines that they mean, however they are cut into chunks.
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { DocumentFile } from '../../src/cli/document-batches.js';
import { headOf, StreamBytes } from '../../src/cli/input-bytes.js';
import { nodeByteText } from '../../src/cli/node-byte-text.js';
import { ArrayLines } from '../../src/import/array-lines.js';
import { CsvLines, type CsvOptions } from '../../src/import/csv-lines.js';
import { IdLines } from '../../src/import/id-lines.js';
import { decideFormat, delimiterOf } from '../../src/import/input-format.js';
import type { LineSource } from '../../src/import/line-source.js';
import { guessTypes } from '../../src/import/type-guess.js';

function run(source: LineSource, text: string | Buffer, chunkBytes = 1 << 16): string {
  const bytes = Buffer.from(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) parts.push(source.feed(bytes.subarray(at, at + chunkBytes)));
  return Buffer.concat([...parts, source.end()]).toString();
}

/** As the page reads them; the import command has calls of Node for the bytes. */
const BYTE_TEXTS = [undefined, nodeByteText];
const CSV: CsvOptions = { delimiter: ',', idField: 'id', types: new Map(), arrays: new Set(), arraySeparator: '|' };
function csv(text: string, more: Partial<CsvOptions> = {}, chunkBytes?: number): string {
  const [portable = '', node] = BYTE_TEXTS.map((byteText) =>
    run(new CsvLines({ ...CSV, ...more, byteText }), text, chunkBytes),
  );
  assert.equal(portable, node);
  return portable;
}
const linesOf = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

test('an array of any layout becomes its elements, cut anywhere', () => {
  const property = fc.property(
    fc.array(fc.jsonValue()),
    fc.nat({ max: 3 }),
    fc.integer({ min: 1, max: 9 }),
    (all, space, cut) => {
      assert.equal(run(new ArrayLines(), JSON.stringify(all, null, space), cut), linesOf(all));
    },
  );
  fc.assert(property);
  assert.equal(run(new ArrayLines(), '\ufeff [{"a":"\\"]"},\n {"a" : 1e1}]\n', 4), '{"a":"\\"]"}\n{"a":1e1}\n');
  assert.equal(run(new ArrayLines(), '[ 1 , 2 , [ ] , "a" ]', 2), '1\n2\n[]\n"a"\n');
  assert.throws(() => run(new ArrayLines(), '[{}'), /the array does not end/);
  for (const [text, number] of [
    ['[,{}]', 1],
    ['[{},,{}]', 2],
    ['[{},\n]', 2],
    ['[,]', 1],
  ] as const)
    assert.throws(
      () => run(new ArrayLines(), text, 3),
      new RegExp(`document ${number}: expected a value before "[,\\]]"`),
    );
  assert.equal(run(new ArrayLines(), '[ ]'), '');
  assert.throws(() => run(new ArrayLines(), '[{}] {}'), /expected nothing behind the array, got "{"/);
});

test('an element that is no JSON becomes none, cut anywhere', () => {
  const unit = fc.constantFrom(
    ' ',
    '\t',
    '\n',
    '\r',
    '\v',
    '\0',
    '1',
    '-',
    '.',
    'e5',
    'true',
    'null',
    '"',
    '"a"',
    '\\',
    ':',
    '{}',
    '7,8',
  );
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const property = fc.property(fc.array(unit, { maxLength: 8 }), fc.integer({ min: 1, max: 5 }), (units, cut) => {
    const text = `{"a":${units.join('')}}`;
    let made: string;
    try {
      made = run(new ArrayLines(), `[${text}]`, cut);
    } catch {
      assert.ok(!isJson(text));
      return;
    }
    assert.equal(made.indexOf('\n'), made.length - 1, made);
    assert.equal(isJson(made), isJson(text), made);
    if (isJson(text)) assert.deepEqual(JSON.parse(made), JSON.parse(text));
  });
  fc.assert(property, { numRuns: 2000 });
  const glued = '[{"id":"1","price":1 000,"ok":tr\r\n  ue}]';
  assert.equal(run(new ArrayLines(), glued, 3), '{"id":"1","price":1 000,"ok":tr ue}\n');
});

test('any table comes back from CSV and TSV, quoted where it must be, cut anywhere', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\t', '\n', '\r\n', ' ', '😀'), maxLength: 6 });
  const table = fc.array(fc.tuple(cell, cell, cell), { maxLength: 12 });
  const property = fc.property(
    table,
    fc.integer({ min: 1, max: 9 }),
    fc.constantFrom(',', '\t', ';'),
    (rows, cut, delimiter) => {
      const quoted = (text: string): string =>
        /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
      const all = [['id', 'b', 'c'], ...rows].map((row) => row.map(quoted).join(delimiter)).join('\r\n');
      const expected = rows.map(([id, b, c]) =>
        Object.fromEntries(Object.entries({ id, b, c }).filter(([, value]) => value !== '')),
      );
      assert.equal(csv(`${all}\n`, { delimiter }, cut), linesOf(expected));
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('cells are written as the types of their fields, and as strings where they do not look like them', () => {
  const types = new Map([
    ['n', 'int'],
    ['f', 'float'],
    ['b', 'bool'],
    ['d', 'date'],
    ['t', 'keyword'],
  ] as const);
  const text = 'id,n,f,b,d,t,x\n1,12345678901234567890,1.50,TRUE,5,a | b,7\n2,01,x,0,2024-01-01,,\n';
  assert.equal(
    csv(text, { types, arrays: new Set(['t']) }),
    '{"id":"1","n":12345678901234567890,"f":1.50,"b":true,"d":5,"t":["a","b"],"x":"7"}\n' +
      '{"id":"2","n":"01","f":"x","b":false,"d":"2024-01-01"}\n',
  );
  assert.equal(
    csv('id,n,t\n1,1||2,a| |b|\n2,|,\n', { types, arrays: new Set(['n', 't']) }),
    '{"id":"1","n":[1,2],"t":["a","b"]}\n{"id":"2","n":[]}\n',
    'an empty value is none',
  );
  for (const name of ['constructor', '__proto__', 'toString'])
    assert.equal(csv(`id,b\n1,${name}\n`, { types }), `{"id":"1","b":"${name}"}\n`);
  assert.equal(csv('sku,n\na7,1\n', { types, idField: 'sku' }), '{"id":"a7","sku":"a7","n":1}\n');
  const strings = ['{"id":"1","a":"1","b":"1","c":"true","d":"01","e":["1","x"]}', '{"a":"2.5","b":"2"}'];
  assert.deepEqual(
    [...guessTypes(strings)],
    [
      ['id', 'int'],
      ['a', 'float'],
      ['b', 'int'],
      ['c', 'bool'],
    ],
  );
});

test('spaces within a value cost no more than others', () => {
  const value = `x${' '.repeat(2_000_000)}y`;
  assert.equal(csv(`id,t\n1,${value}|  z \n`, { arrays: new Set(['t']) }), `{"id":"1","t":["${value}","z"]}\n`);
});

test('bytes that are no UTF-8 are not made into others', () => {
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  const wrong = (text: string, message: RegExp): void => {
    for (const byteText of BYTE_TEXTS)
      assert.throws(() => run(new CsvLines({ ...CSV, byteText }), latin1(text)), message, text);
  };
  wrong('id,a\n1,"b\n\nb"\n\n2,caf\xe9\n3,d\n', /^InputError: line 6: expected UTF-8, got "2,caf\ufffd"; convert/);
  wrong('id,a\n1,"b\n\xe9"\n', /^InputError: line 3: expected UTF-8, got/);
  wrong('id,caf\xe9\n1,b\n', /^InputError: line 1: expected UTF-8, got "id,caf\ufffd"; convert/);
  const accents = { arrays: new Set(['à']), arraySeparator: '·' };
  assert.equal(csv('id,à\n1,voilà · à\u00a0\n', accents), '{"id":"1","à":["voilà","à\u00a0"]}\n');
});

test('what is wrong with a table is said with its line', () => {
  const cases: [string, RegExp][] = [
    ['id,a\n1,2,3\n', /line 2: expected 2 values, as the header has, got 3/],
    ['id,a\n"x\ny",1\n1\n', /line 4: expected 2 values/],
    ['id,a\n1,"b" c\n', /line 2, column 2: expected "," or a line end behind the closing quote, got " c/],
    ['id,a\n1,"b\n', /line 2, column 2: its quote is never closed/],
    ['a,b\n1,2\n', /line 1: no column is named "id" \(a, b\); give --id-field NAME/],
    ['id,,b\n', /line 1: expected a name for each column, column 2 has none/],
    ['id,a\r1,2\r3,4\r', /^InputError: line 1: expected lines that end with LF or CR LF, got a CR alone; convert/],
    ['id,a\r\n1,2\r\n3,x\ry\r\n', /line 3: expected lines that end with LF or CR LF/],
    ['id,a\n1,2\r\r\n', /line 2: expected lines that end/],
    ['id,a\n1\r,"2"\n', /line 2: expected lines that end/],
    ['id,a,b\n"1"\r,2,3\n', /line 2, column 1: expected "," or a line end behind the closing quote, got "\\r,2/],
    ['id,a,a\n', /line 1: two columns are named "a"/],
  ];
  for (const [text, message] of cases) assert.throws(() => csv(text), message, text);
  assert.throws(() => csv('id,sku\n', { idField: 'sku' }), /there is a column "id" beside "sku"/);
});

test('a carriage return may stand in quotes, before a line feed, and at the end', () => {
  for (let cut = 1; cut < 12; cut++)
    assert.equal(
      csv('id,a\r\n1,"b\rc"\r\n2,"d"\r\n3,e\r', {}, cut),
      linesOf([
        { id: '1', a: 'b\rc' },
        { id: '2', a: 'd' },
        { id: '3', a: 'e' },
      ]),
    );
  assert.equal(csv('id,a\r\n"1",b\r'), linesOf([{ id: '1', a: 'b' }]));
});

test('a line of 50 MB is refused with its number, in little time and memory', () => {
  for (const start of ['x', '"x']) {
    const startMs = performance.now();
    assert.throws(() => csv(`id,a\n1,b\n2,${start}${'y'.repeat(50_000_000)}`), /line 3: a record of more than 16 MiB/);
    assert.ok(performance.now() - startMs < 10_000);
  }
});

test('an id comes from another field, every other byte stays', () => {
  const ids = (text: string, cut = 5): string => run(new IdLines('sku', null), text, cut);
  assert.equal(
    ids('{"sku":"a", "n" : 1e1}\n\n{"n":2,"sku":7}'),
    '{"id":"a","sku":"a", "n" : 1e1}\n\n{"id":7,"n":2,"sku":7}',
  );
  assert.equal(
    run(new IdLines('sku', new ArrayLines()), '[{"sku":1},{"sku":2}]', 3),
    '{"id":1,"sku":1}\n{"id":2,"sku":2}\n',
  );
  const numbered = (text: string, cut = 5): string => run(new IdLines(null, null), text, cut);
  assert.equal(numbered('{"a": 1}\n\n{}\n { }'), '{"id":"1","a": 1}\n\n{"id":"3"}\n{"id":"4" }');
  assert.throws(() => numbered('{}\n{"id":7}'), /document 2 has an "id"/);
  assert.throws(() => ids('{"id":1,"sku":2}'), /document 1 has an "id" already/);
  assert.throws(() => ids('{"sku":1}\n{"a":1}'), /document 2 has no "sku"/);
  assert.throws(() => run(new IdLines('toString', null), '{"a":1}', 5), /document 1 has no "toString"/);
  assert.throws(() => ids('{"sku":12345678901234567890}'), /expected a string or an integer of at most 53 bits/);
});

test('a line that is not UTF-8 goes on as it is beside one that gets its id, cut anywhere', () => {
  const bytes = Buffer.concat([Buffer.from('{"n":"é"}\n{"n":"'), Buffer.of(0xe9), Buffer.from('"}\n\n{"n":3}')]);
  const expected = Buffer.concat([
    Buffer.from('{"id":"1","n":"é"}\n{"n":"'),
    Buffer.of(0xe9),
    Buffer.from('"}\n\n{"id":"4","n":3}'),
  ]);
  for (let cut = 1; cut <= bytes.length; cut++) {
    const source = new IdLines(null, null);
    const parts: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += cut) parts.push(source.feed(bytes.subarray(at, at + cut)));
    assert.deepEqual(Buffer.concat([...parts, source.end()]), expected);
  }
});

test('the format is what it looks like, and a wrong one is named', () => {
  const decide = (name: string, head: string, given: 'ndjson' | 'json' | 'csv' | 'tsv' | null = null) =>
    decideFormat(name, Buffer.from(head), given);
  assert.equal(decide('a', '{"a":1}\n{}'), 'ndjson');
  assert.equal(decide('a.jsonl.gz', ' [1'), 'json');
  assert.equal(decide('a.json', '\ufeff{"a":1}\n'), 'ndjson');
  assert.equal(decide('a.csv', 'id\n'), 'csv');
  assert.equal(decide('a.csv', 'id;b\n'), 'csv');
  assert.equal(decide('a.tsv.gz', 'id\tb\n'), 'tsv');
  assert.equal(decide('a', 'id,b\n', 'csv'), 'csv');
  assert.equal(decide('a', ''), 'ndjson');
  assert.throws(
    () => decide('a.jsonl', 'id,b\n1,2'),
    /a\.jsonl: expected JSON lines, and this looks like CSV \(give --format csv\)/,
  );
  assert.throws(
    () => decide('standard input', 'id\tb\n'),
    /expected JSON, and this looks like TSV \(give --format tsv\)/,
  );
  assert.throws(() => decide('a.csv', '[{}]'), /expected CSV, and this looks like a JSON array/);
  assert.throws(
    () => decide('a', '[{}]', 'ndjson'),
    /expected JSON lines, and this looks like a JSON array \(give --format json\)/,
  );
  assert.equal(decide('a.csv', 'id,b\tc\n'), 'csv');
  assert.equal(decide('a.tsv', 'id\tb,c\n'), 'tsv');
  assert.throws(
    () => decide('a.csv', 'id\tb\n'),
    /a\.csv: expected CSV, and this looks like TSV \(give --format tsv\)/,
  );
  assert.throws(() => decide('a', 'id;b\n', 'tsv'), /expected TSV, and this looks like CSV \(give --format csv\)/);
  const foreign: [string, string][] = [
    ['PK\x03\x04[,', 'a ZIP archive, or a spreadsheet'],
    ['\x28\xb5\x2f\xfd{', 'a file compressed with Zstandard'],
    ['\xff\xfe[\0', 'text in UTF-16'],
    ['\n<?xml version="1.0"?>', 'XML or HTML'],
    ['{"a":1}\n\0', 'binary data'],
  ];
  for (const [head, is] of foreign) {
    const expected = { message: `a.csv: expected JSON, CSV or TSV in UTF-8, and this looks like ${is}` };
    assert.throws(() => decideFormat('a.csv', Buffer.from(head, 'latin1'), null), expected);
  }
  assert.throws(() => decide('a', '{\n "a": 1\n}'), /the object on line 1 does not end there/);
  assert.equal(delimiterOf('csv', Buffer.from('id;b;c\n1,2;3')), ';');
});

test('an input that can be read only once is looked at and then read whole, gzipped or not', async () => {
  const text = linesOf(Array.from({ length: 3000 }, (_, i) => ({ id: `${i}` })));
  for (const bytes of [Buffer.from(text), gzipSync(text)]) {
    const parts = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, i) =>
      bytes.subarray(i * 1000, i * 1000 + 1000),
    );
    const input = new StreamBytes(Readable.from(parts));
    assert.equal((await headOf(input))[0], 0x7b);
    const file = new DocumentFile(input);
    const sample = await file.sample(100);
    assert.ok(sample.length >= 100 && sample.length <= 200, `${sample.length}`);
    assert.ok(Number(JSON.parse(sample.at(-1) ?? '{}').id) > 2900, 'of the whole');
    const bodies: Uint8Array[] = [];
    for await (const { body } of file.batches({ documents: 700, bytes: 1 << 20 })) bodies.push(body);
    assert.equal(Buffer.concat(bodies).toString(), text);
  }
});
