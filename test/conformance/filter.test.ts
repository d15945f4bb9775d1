/**
 * The filter grammar: operators, ranges, sets, quotes, precedence, and every expression that must be refused.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectError, expectStatus } from '../support/expect.js';
import { freshName, makeShop } from '../support/fixtures.js';
import { startServer } from '../support/server.js';

const server = await startServer();
const { client } = server;
after(() => server.dispose());

const shop = await makeShop(client);

const passing = async (filter: string): Promise<string[]> => (await client.ids(shop, { filter, limit: 250 })).sort();

const CASES: [string, string[]][] = [
  ['price:<3000', ['cable', 'mat', 'mouse']],
  ['price:<=2999', ['cable', 'mat', 'mouse']],
  ['price:>4999', ['gaming-mouse']],
  ['price:>=4999', ['gaming-mouse', 'keyboard']],
  ['price:=999', ['cable', 'mat']],
  ['price:999', ['cable', 'mat']],
  ['price:!=999', ['gaming-mouse', 'keyboard', 'mouse']],
  ['price:!=5999', ['cable', 'keyboard', 'mat', 'mouse']],
  ['price:[2999..5999]', ['gaming-mouse', 'keyboard', 'mouse']],
  ['price:=[2999..4999]', ['keyboard', 'mouse']],
  ['price:!=[2999..4999]', ['cable', 'gaming-mouse', 'mat']],
  ['price:[999..999]', ['cable', 'mat']],
  ['price:[999,6999]', ['cable', 'gaming-mouse', 'mat']],
  ['price:=[999, 2999 ]', ['cable', 'mat', 'mouse']],
  ['price:!=[999,2999]', ['gaming-mouse', 'keyboard']],
  ['rating:>4.1', ['cable', 'gaming-mouse', 'mouse']],
  ['rating:[4.1..4.5]', ['gaming-mouse', 'keyboard', 'mouse']],
  ['rating:-1', ['mat']],
  ['rating:<0', ['mat']],
  ['rating:=4.50', ['gaming-mouse', 'mouse']],
  ['in_stock:true', ['cable', 'gaming-mouse', 'mouse']],
  ['in_stock:=false', ['keyboard', 'mat']],
  ['in_stock:!=true', ['keyboard', 'mat']],
  ['in_stock:[true,false]', ['cable', 'gaming-mouse', 'keyboard', 'mat', 'mouse']],
  ['brand:Logitech', ['keyboard', 'mouse']],
  ['brand:=logitech', ['mat']],
  ['brand:="Logitech"', ['keyboard', 'mouse']],
  ["brand:='Logitech'", ['keyboard', 'mouse']],
  ['brand:!=Logitech', ['cable', 'gaming-mouse', 'mat']],
  ['brand:=[Logitech,Razer]', ['gaming-mouse', 'keyboard', 'mouse']],
  ['brand:!=[Logitech,Razer]', ['cable', 'mat']],
  ['brand:Logi', []],
  ['tags:=office', ['keyboard', 'mouse']],
  ['tags:!=office', ['cable', 'gaming-mouse']],
  ['tags:=[typing,gaming]', ['gaming-mouse', 'keyboard']],
  ['made:>=2024-01-01', ['cable', 'gaming-mouse', 'mouse']],
  ['made:<2024-01-01T00:00:00Z', ['keyboard']],
  ['made:=1704067200000', ['cable']],
  ["made:['2024-01-01'..'2024-01-31']", ['cable', 'mouse']],
  ['made:[2024-01-01..2024-01-31]', ['cable', 'mouse']],
  ['made:=2024-02-29T22:00:00Z', ['gaming-mouse']],
  ['note:="top seller"', ['mouse']],
  ['note:!="top seller"', ['keyboard']],
  ['id:=mat', ['mat']],
  ['id:=[mat,cable,nobody]', ['cable', 'mat']],
  ["id:'gaming-mouse'", ['gaming-mouse']],
  ['brand:=Logitech && price:<3000', ['mouse']],
  ['brand:=Logitech && price:[1000..5000] && in_stock:true', ['mouse']],
  ['brand:=Razer || brand:=Anker', ['cable', 'gaming-mouse']],
  ['brand:=Anker || brand:=Logitech && price:<3000', ['cable', 'mouse']],
  ['(brand:=Anker || brand:=Logitech) && price:<3000', ['cable', 'mouse']],
  ['(brand:=Anker || brand:=Logitech) && price:>3000', ['keyboard']],
  ['((price:999))', ['cable', 'mat']],
  ['price:999&&in_stock:false', ['mat']],
  ['price:999||price:2999', ['cable', 'mat', 'mouse']],
  ['  price  :  <  3000  ', ['cable', 'mat', 'mouse']],
];

for (const [filter, expected] of CASES) {
  test(`filter ${filter}`, async () => {
    assert.deepEqual(await passing(filter), expected);
  });
}

test('quotes and backslashes make any value comparable', async () => {
  const name = freshName();
  const kw = { name: 'kw', type: 'keyword', filter: true } as const;
  await client.create({ name, fields: [{ name: 'title', type: 'text' }, kw] });
  const values = [
    'a b',
    "it's",
    'say "hi"',
    'back\\slash',
    'a,b',
    '[x]',
    'a && b',
    '1..2',
    '',
    '(p)',
    '東京',
    '\n',
    '=x',
    '<5',
  ];
  await client.indexAll(
    name,
    values.map((value, i) => ({ id: String(i), kw: value })),
  );
  for (const [i, value] of values.entries()) {
    const escaped = value.replaceAll('\\', '\\\\');
    for (const filter of [`kw:='${escaped.replaceAll("'", "\\'")}'`, `kw:="${escaped.replaceAll('"', '\\"')}"`]) {
      assert.deepEqual(await client.ids(name, { filter }), [String(i)], filter);
      assert.deepEqual(await client.ids(name, { filter: filter.replace('=', ':=[').replace('::', ':').concat(']') }), [
        String(i),
      ]);
    }
  }
});

const REFUSED = [
  ...['price', 'price:', ':5', 'price:<', 'price:abc', 'price:1.5', "price:'x'", 'price:<<5', 'price:==5', 'price:=>5'],
  ...[
    'price:[1..]',
    'price:[..5]',
    'price:[5..1]',
    'price:[1..2',
    'price:[]',
    'price:[1,]',
    'price:[1,2..3]',
    'price:[1;2]',
  ],
  ...[
    'price:9223372036854775808',
    'rating:x',
    'rating:NaN',
    'rating:[2..1]',
    'in_stock:yes',
    'in_stock:>true',
    'in_stock:[false..true]',
  ],
  ...['brand:>a', 'brand:[a..b]', 'note:<x', 'made:yesterday', 'made:2024-13-01', 'made:[2024-02-01..2024-01-01]'],
  ...[
    'nothing:1',
    'stored:=x',
    'description:=x',
    'Price:5',
    'price:5 price:6',
    'price:5 &&',
    '&& price:5',
    'price:5 & price:6',
  ],
  ...[
    '(price:5',
    'price:5)',
    '()',
    '(',
    "brand:'x",
    'brand:"x',
    "brand:='x'y",
    'price:5 and price:6',
    'price:5 || || price:6',
  ],
  ...['!price:5', 'id:>5', 'id:[1..2]', 'price=5', '_text_match:>1'],
];

for (const filter of REFUSED) {
  test(`filter ${filter} is refused with the place of the error`, async () => {
    const reply = await client.searchReply(shop, { filter });
    assert.equal(reply.status, 400, reply.text.slice(0, 300));
    expectError(reply, 400, 'invalid_query', /\d/);
  });
}

test('an error in a filter names the field or what was expected', async () => {
  expectError(await client.searchReply(shop, { filter: 'nothing:1' }), 400, 'invalid_query', /nothing/);
  expectError(await client.searchReply(shop, { filter: 'stored:=x' }), 400, 'invalid_query', /stored/);
  expectError(await client.searchReply(shop, { filter: 'price:abc' }), 400, 'invalid_query', /price|int/);
});

test('a blank filter is refused or is none, never an internal error', async () => {
  for (const filter of ['', '   ']) {
    const reply = await client.searchReply(shop, { filter });
    if (reply.status !== 200) expectError(reply, 400, 'invalid_query');
  }
});

test('sixteen KiB, 64 levels and 1,000 values are served, beyond is refused', async () => {
  const nested = (levels: number): string => `${'('.repeat(levels)}price:999${')'.repeat(levels)}`;
  assert.equal((await client.search(shop, { filter: nested(60) })).found, 2);
  expectError(await client.searchReply(shop, { filter: nested(66) }), 400, 'invalid_query', /64/);
  const set = (count: number): string => `price:[${Array.from({ length: count }, (_, i) => i).join(',')}]`;
  assert.equal((await client.search(shop, { filter: set(1000) })).found, 2);
  expectError(await client.searchReply(shop, { filter: set(1001) }), 400, 'invalid_query', /1,?000/);
  const padded = (bytes: number): string => 'price:999'.padEnd(bytes);
  expectStatus(await client.searchReply(shop, { filter: padded(16_384) }), 200);
  expectError(await client.searchReply(shop, { filter: padded(16_385) }), 400, 'invalid_query', /16,?384|16 ?KiB/);
});

test('hundreds of predicates in one expression are served or refused, never a fault', async () => {
  for (const operator of [' || ', ' && ']) {
    const filter = Array.from({ length: 700 }, (_, i) => `price:!=${i}`).join(operator);
    const reply = await client.searchReply(shop, { filter });
    if (reply.status === 200) assert.equal(JSON.parse(reply.text).found, 5);
    else expectError(reply, 400, 'invalid_query');
  }
});

test('a field declared with facet or sort alone can be filtered', async () => {
  const name = freshName();
  const fields = [
    { name: 'title', type: 'text' as const },
    { name: 'f', type: 'int' as const, facet: true },
    { name: 's', type: 'int' as const, sort: true },
    { name: 'none', type: 'int' as const },
  ];
  await client.create({ name, fields });
  await client.indexAll(name, [{ id: '1', f: 1, s: 2, none: 3 }]);
  assert.deepEqual(await client.ids(name, { filter: 'f:1 && s:2' }), ['1']);
  expectError(await client.searchReply(name, { filter: 'none:3' }), 400, 'invalid_query', /none/);
});
