/**
 * POST /snapshot: writes a snapshot now and answers when it is on disk.
 *
 * A body is not read: without a handler for it the connection has no time limit, and a snapshot may take minutes.
 */
import type { SnapshotReport } from '../../engine/index.js';
import type { Snapshot } from '../api/types/server.js';
import type { AppContext } from '../app-context.js';
import type { Exchange } from '../http/exchange.js';
import { replyJson } from '../http/reply.js';
import type { RouteDefinition } from '../http/router.js';

const bodyOf = (report: SnapshotReport): Snapshot => ({
  snapshot: report.snapshot,
  sequence: report.sequence,
  collections: report.collections,
  segments: report.segments,
  files_written: report.filesWritten,
  bytes_written: report.bytesWritten,
  took_ms: report.elapsedMs,
});

export function snapshotRoutes(context: AppContext): RouteDefinition[] {
  const handle = (exchange: Exchange): void => {
    context.gate.pass(exchange, (engine) => {
      engine.snapshot().then(
        (report) => replyJson(exchange, 200, bodyOf(report)),
        (error: unknown) => exchange.fail(error),
      );
    });
  };
  return [{ template: '/snapshot', endpoints: { POST: { access: 'admin', handle } } }];
}
