/**
 * Where the frames of a sound log file of the newest version lie, as engine/layout/wal.ts draws them: for tests that damage
 * one of them. Checks nothing, so that it cannot share a mistake with the code under test.
 */
import {
  WAL_FRAME_COLLECTION,
  WAL_FRAME_HEADER_BYTES,
  WAL_FRAME_PAYLOAD_BYTES,
  WAL_FRAME_SEQUENCE,
  WAL_FRAME_TYPE,
  WAL_FRAME_UNSYNCED,
  WAL_HEADER_BYTES,
} from '../../engine/layout/wal.js';

export interface WalFramePlace {
  readonly start: number;
  /** Where its header ends and its payload begins. */
  readonly payload: number;
  readonly end: number;
  readonly sequence: number;
  readonly unsynced: number;
  readonly type: number;
  readonly collectionId: number;
}

/** The frames of a file in order. */
export function walFrames(bytes: Uint8Array): WalFramePlace[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const frames: WalFramePlace[] = [];
  for (let start = WAL_HEADER_BYTES; start < bytes.length; ) {
    const word = (field: number): number => view.getUint32(start + field, true);
    const payload = start + WAL_FRAME_HEADER_BYTES;
    const end = payload + word(WAL_FRAME_PAYLOAD_BYTES);
    const sequence = word(WAL_FRAME_SEQUENCE);
    const unsynced = word(WAL_FRAME_UNSYNCED);
    const type = view.getUint8(start + WAL_FRAME_TYPE);
    frames.push({ start, payload, end, sequence, unsynced, type, collectionId: word(WAL_FRAME_COLLECTION) });
    start = end;
  }
  return frames;
}
