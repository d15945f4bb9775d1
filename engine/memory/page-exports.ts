/**
 * What kernels.wasm exports of what is written as JSON, by source file of kernels/. See kernel-exports.ts.
 */

/** kernels/hit-page.ts */
export interface HitPageKernels {
  /** Returns how many hits were written. */
  writeHits(page: number, count: number, to: number, end: number, areIds: boolean): number;
}

/** kernels/value-page.ts */
export interface ValuePageKernels {
  /** Returns how many values were written. */
  writeValues(
    page: number,
    count: number,
    segment: number,
    end: number,
    column: number,
    to: number,
    limit: number,
  ): number;
}
