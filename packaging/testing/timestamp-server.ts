import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const config = `[tsa]
default_tsa = settings
[settings]
serial = serial
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
`;

/** Answers by RFC 3161 through `openssl ts`, with a certificate that the root of `makeCertificate` in the same folder has signed. */
export async function timestampServer(folder: string): Promise<string> {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  writeFileSync(join(folder, 'tsa.extensions'), 'extendedKeyUsage=critical,timeStamping\nkeyUsage=digitalSignature\n');
  writeFileSync(join(folder, 'tsa.config'), config);
  writeFileSync(join(folder, 'serial'), '01\n');
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'tsa.key', '-out', 'tsa.csr', '-subj', '/CN=Test Timestamps');
  const by = ['-CA', 'root.pem', '-CAkey', 'root.key', '-days', '20', '-extfile', 'tsa.extensions'];
  openssl('x509', '-req', '-in', 'tsa.csr', ...by, '-out', 'tsa.pem');
  const server = createServer(async (request, response) => {
    const query = await request.toArray();
    writeFileSync(join(folder, 'query'), Buffer.concat(query));
    const signer = ['-signer', 'tsa.pem', '-inkey', 'tsa.key', '-chain', 'root.pem', '-config', 'tsa.config'];
    response.setHeader('content-type', 'application/timestamp-reply');
    response.end(openssl('ts', '-reply', '-queryfile', 'query', ...signer));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
