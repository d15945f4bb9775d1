/**
 * Certificates for tests, made by openssl, which must be installed: Node signs none itself.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

function openssl(args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' });
}

/** Whether there is an openssl; says so loudly when there is none. */
export function hasOpenssl(): boolean {
  try {
    openssl(['version']);
    return true;
  } catch {
    process.stderr.write('\n*** TLS IS NOT TESTED: there is no openssl, which makes the certificates ***\n\n');
    return false;
  }
}

/** Makes a self-signed certificate `name`, for `address` and `days`, and its key in `folder`. */
export function makeCertificate(folder: string, name: string, days = 30, address = '127.0.0.1'): CertificateFiles {
  const files = { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
  const request = join(folder, `${name}.csr`);
  const names = join(folder, `${name}.ext`);
  writeFileSync(names, `subjectAltName=DNS:localhost,IP:${address}\n`);
  openssl(['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', files.keyFile]);
  openssl(['req', '-new', '-key', files.keyFile, '-subj', `/CN=${name}.test`, '-out', request]);
  const lasting = ['-days', `${days}`, '-extfile', names];
  openssl(['x509', '-req', '-in', request, '-signkey', files.keyFile, ...lasting, '-out', files.certFile]);
  return files;
}

/** Puts copies of `from` in the place of `to`, each at one moment. */
export function replaceCertificate(to: CertificateFiles, from: CertificateFiles): void {
  for (const file of ['certFile', 'keyFile'] as const) {
    copyFileSync(from[file], `${to[file]}.new`);
    renameSync(`${to[file]}.new`, to[file]);
  }
}
