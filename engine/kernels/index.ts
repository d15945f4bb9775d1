/**
 * The entry of kernels.wasm: every kernel, by file.
 */
export * from './terms';
export * from './columns';
export * from './bitsets';
export * from './facets';
export * from './sort';
export * from './postings';
