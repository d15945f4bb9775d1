/**
 * The apps of one HTTP thread. Without TLS it is one. With TLS an app has one certificate for ever: a new certificate makes a new app, which
 * takes the connections from then on, and the older ones go on with those that they have.
 *
 * Owned by server.ts and http-threads/front-server.ts.
 */
import { type TlsFiles, TlsFilesError } from './tls-files.js';
import { type App, type AppDescriptor, loadUws, type Uws } from './uws.js';

/** Returns an app; with TLS of the certificate that `tls` names now. Errors: TlsFilesError when the library does not take it. */
export function createApp(uws: Uws, tls: TlsFiles | null): App {
  if (tls === null) return uws.App();
  try {
    return uws.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile });
  } catch {
    throw new TlsFilesError(`the HTTP library cannot use the certificate ${tls.certFile} with the key ${tls.keyFile}`);
  }
}

export class Apps {
  readonly #uws = loadUws();
  readonly #tls: TlsFiles | null;
  readonly #prepare: (app: App) => void;
  /** The newest, which takes connections, comes last. */
  readonly #apps: App[] = [];

  /** `prepare` gives an app its handlers. Errors: TlsFilesError. */
  constructor(tls: TlsFiles | null, prepare: (app: App) => void) {
    this.#tls = tls;
    this.#prepare = prepare;
    this.renew();
  }

  /** The one that takes connections. */
  get newest(): App {
    return this.#apps[this.#apps.length - 1];
  }

  /** Makes a new app, and names it. Errors: TlsFilesError; then all is as before. */
  renew(): AppDescriptor {
    const app = createApp(this.#uws, this.#tls);
    this.#prepare(app);
    this.#apps.push(app);
    return app.getDescriptor();
  }

  /** Drops every connection. */
  close(): void {
    for (const app of this.#apps) app.close();
  }
}
