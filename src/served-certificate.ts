/**
 * The certificate that a server with TLS shows: checked at start, and read again on SIGHUP. A bad new one changes nothing.
 *
 * Made by serve.ts, shown by metrics/metrics.ts.
 */
import type { Logger } from 'pino';
import { type CertificateFacts, checkTlsFiles, type TlsFiles, TlsFilesError } from './http/tls-files.js';

export class ServedCertificate {
  /** Certificates that were taken, and refused, since the start. */
  reloads = 0;
  reloadFailures = 0;
  readonly #files: TlsFiles;
  readonly #logger: Logger;
  #facts: CertificateFacts;

  /** Errors: TlsFilesError. */
  constructor(files: TlsFiles, logger: Logger) {
    this.#files = files;
    this.#logger = logger;
    this.#facts = checkTlsFiles(files, Date.now());
    const { subject, fingerprint, expiresMs, outOfTime } = this.#facts;
    logger.info({ subject, fingerprint, expires: new Date(expiresMs) }, 'TLS is on');
    if (outOfTime !== null)
      logger.warn({ file: files.certFile }, `THE CERTIFICATE ${outOfTime}: clients will refuse it`);
  }

  /** When the certificate in use expires, in Unix milliseconds. */
  get expiresMs(): number {
    return this.#facts.expiresMs;
  }

  /** Reads the files again, and calls `apply` when they may be used. Whatever is wrong is logged, and the old certificate stays. */
  reload(apply: () => void): void {
    try {
      const facts = checkTlsFiles(this.#files, Date.now());
      if (facts.outOfTime !== null)
        throw new TlsFilesError(`the certificate in ${this.#files.certFile} ${facts.outOfTime}`);
      apply();
      this.#facts = facts;
      this.reloads += 1;
      const { subject, fingerprint, expiresMs } = facts;
      this.#logger.info({ subject, fingerprint, expires: new Date(expiresMs) }, 'a new certificate is in use');
    } catch (error) {
      if (!(error instanceof TlsFilesError)) throw error;
      this.reloadFailures += 1;
      this.#logger.error({ reason: error.message }, 'the old certificate stays in use: the new one cannot be');
    }
  }
}
