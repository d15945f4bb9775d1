/**
 * Source of generated/manifest.ts: `npm run build:validators` replaces the call by the code that checks the type and takes
 * away all keys that it does not name.
 */
import typia from 'typia';
import type { StoredManifest } from '../types/manifest.js';

export const validateManifest = typia.misc.createValidatePrune<StoredManifest>();
