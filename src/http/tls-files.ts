/**
 * Looks at a certificate and its key before the HTTP library does, which tells only that it cannot use them.
 *
 * Called at start and at each reload. Never shows a key.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** Paths of PEM files. */
export interface TlsFiles {
  /** The certificate, and behind it those of the authorities between. */
  readonly certFile: string;
  readonly keyFile: string;
}

/** What is told of a certificate. */
export interface CertificateFacts {
  readonly subject: string;
  readonly fingerprint: string;
  /** Unix milliseconds. */
  readonly expiresMs: number;
  /** Why clients will not take it today; null: for its time they will. */
  readonly outOfTime: string | null;
}

/** The files cannot be used; the message is for the person who runs the server. */
export class TlsFilesError extends Error {
  override readonly name = 'TlsFilesError';
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns what `read` returns. Errors: TlsFilesError, about `what` in `file`. */
function orFault<Result>(what: string, file: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new TlsFilesError(`${what} ${file}: ${reasonOf(error)}`);
  }
}

/** Reads `files` and returns what their certificate says at `nowMs` (Unix). Errors: TlsFilesError. */
export function checkTlsFiles({ certFile, keyFile }: TlsFiles, nowMs: number): CertificateFacts {
  const cert = orFault('cannot read the certificate', certFile, () => readFileSync(certFile));
  const key = orFault('cannot read the key', keyFile, () => readFileSync(keyFile));
  const certificate = orFault('no certificate in PEM is in', certFile, () => new X509Certificate(cert));
  const privateKey = orFault('no private key in PEM without a passphrase is in', keyFile, () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey))
    throw new TlsFilesError(`the key in ${keyFile} is not that of the certificate in ${certFile}`);
  orFault('cannot use the certificate', certFile, () => createSecureContext({ cert, key }));
  const { subject, fingerprint256, validFrom, validTo } = certificate;
  const fromMs = Date.parse(validFrom);
  const expiresMs = Date.parse(validTo);
  const late = nowMs >= expiresMs ? `expired on ${validTo}` : null;
  const outOfTime = nowMs < fromMs ? `is not valid before ${validFrom}` : late;
  return { subject: subject.replaceAll('\n', ', '), fingerprint: fingerprint256, expiresMs, outOfTime };
}
