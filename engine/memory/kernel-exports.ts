/**
 * What kernels.wasm exports, by source file of kernels/. Every pointer is an absolute address in the bound arena; a
 * pointer or count that a kernel returns comes back as a signed i32, so addresses need `>>> 0`.
 */

/** kernels/crc32c.ts */
export interface ChecksumKernels {}

/** kernels/terms.ts */
export interface TermKernels {}

/** kernels/columns.ts */
export interface ColumnKernels {}

/** kernels/bitsets.ts */
export interface BitsetKernels {}

/** kernels/facets.ts */
export interface FacetKernels {}

/** kernels/sort.ts */
export interface SortKernels {}

/** kernels/postings.ts */
export interface PostingsKernels {}

export interface Kernels
  extends ChecksumKernels,
    TermKernels,
    ColumnKernels,
    BitsetKernels,
    FacetKernels,
    SortKernels,
    PostingsKernels {}
