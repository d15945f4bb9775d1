/**
 * What of the engine reads call, on whichever thread they run. A type alone.
 */
import type { Engine } from '../engine/index.js';

export type ReadEngine = Pick<
  Engine,
  'search' | 'suggest' | 'fetchDocument' | 'versionOf' | 'cancelRead' | 'releaseAnswer'
>;
