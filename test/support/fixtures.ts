/**
 * The small shop that most conformance tests search, and names for collections that never collide within a server.
 */
import type { Client } from './client.js';
import type { SchemaInput, WireDocument } from './wire.js';

let counter = 0;

/** A collection name no other test of this process uses. */
export function freshName(prefix = 'c'): string {
  counter += 1;
  return `${prefix}-${counter}`;
}

/** One searchable text field called title. */
export function titleSchema(name: string): SchemaInput {
  return { name, fields: [{ name: 'title', type: 'text' }] };
}

/** A schema with every field type. */
export function shopSchema(name: string): SchemaInput {
  return {
    name,
    fields: [
      { name: 'title', type: 'text', boost: 2 },
      { name: 'description', type: 'text' },
      { name: 'note', type: 'text', index: false, filter: true },
      { name: 'brand', type: 'keyword', facet: true },
      { name: 'tags', type: 'keyword', facet: true, sort: true },
      { name: 'price', type: 'int', filter: true, sort: true, facet: true },
      { name: 'rating', type: 'float', filter: true, sort: true, facet: true },
      { name: 'in_stock', type: 'bool', facet: true, sort: true },
      { name: 'made', type: 'date', filter: true, sort: true, facet: true },
      { name: 'stored', type: 'keyword' },
    ],
  };
}

/** Six products; `empty` has nothing but an id. */
export const SHOP: readonly (WireDocument & { id: string })[] = [
  {
    id: 'mouse',
    title: 'Wireless mouse',
    description: 'A quiet mouse for the office',
    note: 'top seller',
    brand: 'Logitech',
    tags: ['office', 'wireless'],
    price: 2999,
    rating: 4.5,
    in_stock: true,
    made: '2024-01-15T10:00:00Z',
    stored: 'x',
  },
  {
    id: 'keyboard',
    title: 'Wireless keyboard',
    description: 'Full size, with number pad',
    note: 'Top Seller',
    brand: 'Logitech',
    tags: ['office', 'wireless', 'typing'],
    price: 4999,
    rating: 4.1,
    in_stock: false,
    made: '2023-06-01',
  },
  {
    id: 'cable',
    title: 'USB cable',
    description: 'Two metres, braided',
    brand: 'Anker',
    tags: 'cable',
    price: 999,
    rating: 4.9,
    in_stock: true,
    made: 1_704_067_200_000,
  },
  {
    id: 'gaming-mouse',
    title: 'Gaming mouse',
    description: 'Wired, no wireless delay',
    brand: 'Razer',
    tags: ['gaming'],
    price: [5999, 6999],
    rating: 4.5,
    in_stock: true,
    made: '2024-03-01T00:00:00+02:00',
  },
  { id: 'mat', title: 'Mouse mat', brand: 'logitech', price: 999, rating: -1, in_stock: false },
  { id: 'empty' },
];

/** Creates a shop with the six products, one batch each, and returns its name. */
export async function makeShop(client: Client): Promise<string> {
  const name = freshName('shop');
  await client.create(shopSchema(name));
  for (const document of SHOP) await client.indexAll(name, [document]);
  return name;
}
