import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface DohServer {
  url: string;
  /** The origin of an empty page that the same server has. */
  origin: string;
  /** The file of the certificate authority, in PEM format. */
  authority: string;
  /** How often the name was asked. */
  questions(name: string): number;
  close(): void;
}

/** A DNS server over HTTPS, as an attacker or a browser's maker might run it. It counts questions and has no answers. */
export async function dohServer(folder: string): Promise<DohServer> {
  const pathOf = (name: string) => join(folder, `${name}.pem`);
  const openssl = (name: string, ...more: string[]) => {
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`];
    execFileSync('openssl', [...request, '-keyout', pathOf(`${name}-key`), '-out', pathOf(name), ...more], { stdio: 'ignore' });
  };
  openssl('authority');
  // Firefox takes no certificate that is an authority itself.
  const extensions = ['subjectAltName=DNS:localhost,IP:127.0.0.1', 'basicConstraints=critical,CA:FALSE'].flatMap((one) => ['-addext', one]);
  openssl('server', '-CA', pathOf('authority'), '-CAkey', pathOf('authority-key'), ...extensions);
  const asked: string[] = [];
  const options = { key: readFileSync(pathOf('server-key')), cert: readFileSync(pathOf('server')), allowHTTP1: true };
  const server = createSecureServer(options, (incoming, response) => {
    const chunks: Buffer[] = [Buffer.from(new URL(incoming.url, 'https://localhost').searchParams.get('dns') ?? '', 'base64url')];
    incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
    incoming.on('end', () => {
      asked.push(Buffer.concat(chunks).toString('latin1').toLowerCase());
      const isPage = incoming.url === '/';
      response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'application/dns-message' });
      response.end(isPage ? '<p>An empty page</p>' : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const inPacket = (name: string) =>
    name
      .split('.')
      .map((label) => String.fromCharCode(label.length) + label)
      .join('');
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    ...{ origin, url: `${origin}/dns-query` },
    authority: pathOf('authority'),
    questions: (name) => asked.filter((packet) => packet.includes(inPacket(name))).length,
    close: () => server.close(),
  };
}
