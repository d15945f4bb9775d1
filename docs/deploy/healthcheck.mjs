/**
 * Ends with 0 when the server of this container is alive, by GET /health, else with 1 and a line that says why. It looks where
 * the variables SABRE_LISTEN and SABRE_TLS_CERT_FILE say that the server listens. The image has no curl.
 */
import { get as getPlain } from 'node:http';
import { get as getSecure } from 'node:https';

const TIMEOUT_MS = 2500;
const EVERYWHERE = ['', '0.0.0.0', '[::]'];

const listen = process.env.SABRE_LISTEN || '0.0.0.0:8108';
const colon = listen.lastIndexOf(':');
const host = listen.slice(0, Math.max(colon, 0));
const port = listen.slice(colon + 1);
const isSecure = (process.env.SABRE_TLS_CERT_FILE ?? '') !== '';
const url = `${isSecure ? 'https' : 'http'}://${EVERYWHERE.includes(host) ? '127.0.0.1' : host}:${port}/health`;

function fail(reason) {
  console.error(`${url}: ${reason}`);
  process.exit(1);
}

// The certificate is the server's own, for names that others know it by.
const options = { rejectUnauthorized: false, signal: AbortSignal.timeout(TIMEOUT_MS) };
const request = (isSecure ? getSecure : getPlain)(url, options, ({ statusCode }) => {
  if (statusCode !== 200) fail(`status ${statusCode}`);
  process.exit(0);
});
request.on('error', (error) => fail(error.message));
