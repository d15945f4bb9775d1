/**
 * A shop that does not exist: some two thousand products made by a seed, the same each time. For the tests of the page, and
 * for its pictures.
 */
import type { Client } from '../support/client.js';
import type { SchemaInput, WireDocument } from '../support/wire.js';

const PRODUCTS = 2000;
const SEED = 20;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2021, 0, 1);
const DAYS = 1500;

const BRANDS = ['Alder & Vale', 'Brightline', 'Corvus', 'Dovetail', 'Elmwood', 'Fenn', 'Harrow', 'Kestrel', 'Lumen'];
const COLORS = ['black', 'white', 'graphite', 'sand', 'forest green', 'navy', 'brick red'];

interface Kind {
  readonly category: string;
  readonly nouns: readonly string[];
  readonly traits: readonly string[];
  readonly price: number;
}

const KINDS: readonly Kind[] = [
  {
    category: 'Keyboards & mice',
    nouns: ['mouse', 'keyboard', 'trackball', 'number pad', 'mouse mat'],
    traits: ['wireless', 'ergonomic', 'silent', 'compact', 'mechanical', 'rechargeable', 'vertical'],
    price: 55,
  },
  {
    category: 'Audio',
    nouns: ['headphones', 'earbuds', 'speaker', 'soundbar', 'microphone', 'record player'],
    traits: ['wireless', 'noise cancelling', 'portable', 'waterproof', 'studio', 'over-ear'],
    price: 120,
  },
  {
    category: 'Displays',
    nouns: ['monitor', 'portable monitor', 'monitor arm', 'projector'],
    traits: ['curved', 'ultrawide', '27 inch', '4K', 'colour accurate', 'foldable'],
    price: 310,
  },
  {
    category: 'Cables & power',
    nouns: ['USB cable', 'charger', 'power bank', 'docking station', 'extension lead'],
    traits: ['braided', 'fast', 'compact', 'three metre', 'wireless', 'travel'],
    price: 32,
  },
  {
    category: 'Kitchen',
    nouns: ['kettle', 'coffee grinder', 'toaster', 'chopping board', 'saucepan', 'espresso machine'],
    traits: ['stainless steel', 'quiet', 'cordless', 'enamelled', 'two litre', 'walnut'],
    price: 75,
  },
  {
    category: 'Outdoors',
    nouns: ['tent', 'sleeping bag', 'head torch', 'rucksack', 'water bottle', 'camping stove'],
    traits: ['waterproof', 'lightweight', 'insulated', 'two person', 'foldable', 'rechargeable'],
    price: 90,
  },
];
const USES = ['small desks', 'long days', 'travel', 'quiet offices', 'weekends away', 'families', 'beginners', 'gifts'];
const PRAISE = ['Built to last', 'Easy to clean', 'Made from recycled parts', 'Repairable', 'Well reviewed'];

/** A generator of numbers from 0 to 1 (mulberry32, public domain). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SHOP_SCHEMA = {
  name: 'products',
  fields: [
    { name: 'title', type: 'text', boost: 2 },
    { name: 'description', type: 'text', stem: 'english' },
    { name: 'brand', type: 'text', facet: true },
    { name: 'category', type: 'keyword', facet: true },
    { name: 'color', type: 'keyword', facet: true },
    { name: 'in_stock', type: 'bool', facet: true },
    { name: 'price', type: 'float', facet: true, sort: true },
    { name: 'rating', type: 'float', filter: true, sort: true },
    { name: 'released', type: 'date', filter: true, sort: true },
  ],
} satisfies SchemaInput;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The products, in the order of their ids. */
function shopProducts(): WireDocument[] {
  const next = numbersFrom(SEED);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(next() * values.length)] as Value;
  return Array.from({ length: PRODUCTS }, (_, index) => {
    const kind = pick(KINDS);
    const [first, second] = [pick(kind.traits), pick(kind.traits)];
    const noun = pick(kind.nouns);
    const traits = first === second ? first : `${first}, ${second}`;
    const brand = pick(BRANDS);
    return {
      id: String(index + 1),
      title: `${capital(first)} ${noun}`,
      description: `A ${traits} ${noun} by ${brand}, for ${pick(USES)}. ${pick(PRAISE)}.`,
      brand,
      category: kind.category,
      color: pick(COLORS),
      in_stock: next() < 0.85,
      price: Math.round(kind.price * (0.4 + 1.4 * next()) * 100) / 100,
      rating: Math.round((2.5 + 2.5 * next()) * 10) / 10,
      released: new Date(FIRST_DAY + Math.floor(next() * DAYS) * DAY_MS).toISOString().slice(0, 10),
    };
  });
}

/** Makes the collection "products" and fills it. */
export async function fillShop(client: Client): Promise<void> {
  await client.create(SHOP_SCHEMA);
  await client.indexAll('products', shopProducts());
}
