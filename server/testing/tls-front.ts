import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FrontReply {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** Answers for the server behind the proxy; null: no server is there, and the proxy answers 502. */
export type FrontAnswer = (path: string) => Promise<FrontReply | null>;

/** A TLS proxy with a certificate of its own for `host`, valid for 60 days. `answerBy`: the server behind it from now on. */
export async function openTlsFront(host: string) {
  const { cert, key } = certificateFor(host);
  let answer: FrontAnswer = async () => null;
  const server = createServer({ cert, key }, (request, reply) => {
    const send = async () => {
      const { status, body, headers = {} } = (await answer(request.url ?? '/')) ?? { status: 502, body: 'Bad Gateway' };
      reply.writeHead(status, headers).end(body);
    };
    send().catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${host}:${port}`,
    port,
    cert,
    current: () => answer,
    answerBy(next: FrontAnswer): void {
      answer = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function certificateFor(host: string): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '60'];
    const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
    execFileSync('openssl', ['req', '-x509', ...curve, ...names, '-keyout', keyPath, '-out', certPath], { stdio: 'ignore' });
    return { cert: readFileSync(certPath, 'utf8'), key: readFileSync(keyPath, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
