/**
 * The corpora of the load tests: their files, schemas, and the filters that make sense on each.
 */
import type { FieldType } from '../engine/index.js';
import { pick, type Random, randomBelow } from './random.js';
import type { Vocabulary } from './vocabulary.js';

export interface PerfField {
  readonly name: string;
  readonly type: FieldType;
  readonly facet?: boolean;
  readonly filter?: boolean;
  readonly sort?: boolean;
  readonly index?: boolean;
}

/** Parameters of a search without text; what a schema has no field for is left out. */
export type BrowseParameters = Readonly<Partial<Record<'filter' | 'facet' | 'sort', string>>>;

export interface Corpus {
  readonly name: string;
  /** In the data folder, or where they lie. */
  readonly files: readonly string[];
  readonly fields: readonly PerfField[];
  /** What its collection is created with, where that is more than name and fields. */
  readonly schema?: object;
  /** A filter, two facets and a sort. */
  readonly browse: (random: Random, vocabulary: Vocabulary) => BrowseParameters;
  /** Fields that are searched, with commas between; none: all. */
  readonly queryBy?: string;
}

const text = (name: string): PerfField => ({ name, type: 'text' });
const facet = (name: string): PerfField => ({ name, type: 'keyword', facet: true });
const ranked = (name: string, type: 'int' | 'float' | 'date'): PerfField => ({ name, type, filter: true, sort: true });
const flag = (name: string): PerfField => ({ name, type: 'bool', facet: true });
const ints = (...names: string[]): PerfField[] => names.map((name) => ranked(name, 'int'));

export const CORPORA: readonly Corpus[] = [
  {
    name: 'reddit',
    files: ['reddit-titles-0.jsonl.gz', 'reddit-titles-1.jsonl.gz'],
    fields: [
      text('title'),
      ...['subreddit', 'domain', 'flair'].map(facet),
      ...ints('score', 'ups', 'downs', 'num_comments'),
      flag('is_self'),
      ranked('created', 'date'),
    ],
    browse: (random) => ({
      filter: `score:>${randomBelow(random, 60)} && num_comments:[${randomBelow(random, 5)}..${50 + randomBelow(random, 500)}]`,
      facet: 'subreddit,is_self',
      sort: pick(random, ['created:desc', 'score:desc', 'num_comments:desc', 'created:asc']),
    }),
  },
  {
    name: 'tate',
    files: ['tate-artworks.jsonl.gz'],
    fields: [
      ...['title', 'medium', 'credit_line'].map(text),
      ...['artist', 'artists', 'classification', 'movements', 'subject_top', 'subject_mid', 'subjects'].map(facet),
      ...(['width_mm', 'height_mm', 'depth_mm'] as const).map((name) => ranked(name, 'float')),
      ...ints('year_start', 'year_end', 'acquisition_year', 'artist_birth_year'),
      flag('has_image'),
    ],
    browse: (random) => ({
      filter: `year_start:>=${1700 + randomBelow(random, 250)} && has_image:true`,
      facet: 'artist,subject_top',
      sort: pick(random, ['year_start:asc', 'acquisition_year:desc', 'width_mm:desc']),
    }),
  },
  {
    name: 'movies',
    files: ['movies.jsonl.gz'],
    fields: [text('title'), text('extract'), facet('genres'), facet('cast'), ...ints('year', 'decade', 'cast_size')],
    browse: (random) => ({
      filter: `year:>=${1910 + randomBelow(random, 100)}`,
      facet: 'genres,cast',
      sort: pick(random, ['year:desc', 'year:asc', 'cast_size:desc']),
    }),
  },
  {
    name: 'languages',
    files: ['languages.jsonl.gz'],
    fields: [
      text('summary'),
      text('description'),
      ...['lang', 'name', 'section'].map(facet),
      ...ints('size', 'installed_size_kb'),
    ],
    browse: (random) => ({
      filter: `size:>${randomBelow(random, 500_000)}`,
      facet: 'lang,section',
      sort: pick(random, ['size:desc', 'installed_size_kb:asc']),
    }),
  },
  {
    name: 'arxiv',
    files: ['arxiv-0.jsonl.gz'],
    fields: [
      ...['title', 'abstract', 'comments'].map(text),
      ...['authors', 'categories', 'primary_category'].map(facet),
      ...ints('num_authors', 'year'),
      ranked('created', 'date'),
      ranked('updated', 'date'),
    ],
    browse: (random) => ({
      filter: `year:>=${1992 + randomBelow(random, 20)} && num_authors:<${2 + randomBelow(random, 6)}`,
      facet: 'primary_category,categories',
      sort: pick(random, ['created:desc', 'num_authors:desc']),
    }),
  },
];
