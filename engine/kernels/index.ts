/**
 * The entry of kernels.wasm: every kernel, by file.
 */
export * from './terms';
export * from './term-frequencies';
export { columnMatchRange, columnMatchRangeMulti, columnMatchSet } from './columns';
export * from './bitsets';
export * from './facets';
export * from './top-counts';
export * from './sort';
export {
  beginTop, boundPage, offerByColumn, offerDocs, offerScores,
} from './score-top';
export { endTop, groupNearTies, rescoreTop } from './end-top';
export { rescoreJudged } from './judged-top';
export { beginTopColumn } from './top-columns';
export { offerBits } from './top-bits';
export { boundHolders, countHolders, countLive } from './live-counts';
export * from './token-plan';
export { addToUnion, beginUnion, sumFrequencies, unionListBytes, writeUnion } from './list-union';
export { judgeWindow, listGainers, noteGainers } from './gainers';
export { judgeByOwnTerms } from './own-terms';
export { placeOutline, writeOutline } from './list-outline';
export { countLosses } from './losses';
export { noteBegins } from './union-begins';
export { fillUnion, noteSpecial, setApart, writeSpecial } from './union-weights';
export * from './scoring';
export * from './sweep';
export * from './doc-lists';
export { commonDocs, commonPlaces } from './common-docs';
export * from './blocks';
export * from './phrases';
export * from './bonus-window';
export { beginCandidates, measureCandidates } from './candidates';
export { judgeValues } from './nearness';
export { indexDictionary, packRows, unpackRow } from './packed-rows';
export { jsonValueEnd } from './json-values';
export { jsonMembers } from './json-members';
export { tokenizeAscii } from './ascii-tokens';
export { writeHits } from './hit-page';
export { writeValues } from './value-page';
