import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TestCertificate {
  /** The settings of a build that signs with it. */
  env: { WINDOWS_CERTIFICATE: string; WINDOWS_CERTIFICATE_PASSWORD_FILE: string };
  /** The root that verifies it. */
  root: string;
}

export const certificatePassword = 'a password with spaces';

/** Makes a root and a certificate for signing code in a folder. `days`: how long the certificate is valid; `usage`: its extended key usage. */
export function makeCertificate(folder: string, { days = 20, usage = 'codeSigning' } = {}): TestCertificate {
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  openssl('req', '-x509', ...newKey, '-keyout', 'root.key', '-out', 'root.pem', '-days', '30', '-subj', '/CN=Test Root');
  openssl('req', ...newKey, '-keyout', 'leaf.key', '-out', 'leaf.csr', '-subj', '/CN=Porchlight Test');
  writeFileSync(path('extensions'), `extendedKeyUsage=${usage}\nkeyUsage=digitalSignature\nbasicConstraints=CA:FALSE\n`);
  const by = ['-CA', 'root.pem', '-CAkey', 'root.key', '-days', String(days)];
  openssl('x509', '-req', '-in', 'leaf.csr', ...by, '-extfile', 'extensions', '-out', 'leaf.pem');
  writeFileSync(path('password'), `${certificatePassword}\n`);
  const parts = ['-inkey', 'leaf.key', '-in', 'leaf.pem', '-certfile', 'root.pem'];
  openssl('pkcs12', '-export', ...parts, '-passout', 'file:password', '-out', 'certificate.p12');
  return {
    env: { WINDOWS_CERTIFICATE: path('certificate.p12'), WINDOWS_CERTIFICATE_PASSWORD_FILE: path('password') },
    root: path('root.pem'),
  };
}
