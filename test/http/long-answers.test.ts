/**
 * Answers that take longer than an idle connection lives (8 to 12 s): the connection waits for them.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { withServer } from './test-server.js';

withServer('a search and a write of 14 seconds are answered', {}, async ({ engine, get, send }) => {
  engine.searchDelayMs = 14_000;
  engine.beforeIndex = () => sleep(14_000);
  const [found, indexed] = await Promise.all([
    get('/collections/books/search'),
    send('POST', '/collections/books/documents', { body: '[]' }),
  ]);
  assert.deepEqual([found.status, indexed.status], [200, 200]);
});
