/**
 * Assertions on replies that name the request's answer when they fail.
 */
import assert from 'node:assert/strict';
import { jsonOf, type Reply } from './client.js';
import type { ErrorBody } from './wire.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The reply has `status`. */
export function expectStatus(reply: Reply, status: number): Reply {
  assert.equal(reply.status, status, `body: ${reply.text.slice(0, 1000)}`);
  return reply;
}

/**
 * The reply is an error of the one shape every error has, with this status and code, a message that says something and
 * matches `message`, and no stack trace. Returns the message.
 */
export function expectError(reply: Reply, status: number, code: string, message = /./): string {
  expectStatus(reply, status);
  assert.equal(reply.headers['content-type'], JSON_TYPE);
  const body = jsonOf<ErrorBody>(reply);
  assert.deepEqual(Object.keys(body), ['error']);
  assert.deepEqual(Object.keys(body.error).sort(), ['code', 'message']);
  assert.equal(body.error.code, code, `message: ${body.error.message}`);
  assert.match(body.error.message, message);
  assert.ok(body.error.message.length > 4, `message says too little: ${body.error.message}`);
  assert.doesNotMatch(body.error.message, /\bat .*\.(js|ts):\d+/, 'a message holds no stack trace');
  return body.error.message;
}

/** The reply is 200 with a JSON body, which is returned. */
export function expectJson<T>(reply: Reply, status = 200): T {
  expectStatus(reply, status);
  assert.equal(reply.headers['content-type'], JSON_TYPE);
  return jsonOf<T>(reply);
}

/** Two scores agree: scores are 32-bit floats, and the lengths of long fields are quantised. */
export function closeTo(actual: number, expected: number, relative = 1e-3): boolean {
  return Math.abs(actual - expected) <= relative * Math.max(Math.abs(actual), Math.abs(expected), 1e-6);
}
