import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TestServer } from './server.ts';

interface Answer {
  status: number;
  type: 'text/html' | 'application/json';
  body: string;
  headers?: Record<string, string>;
}

export interface TestProxy {
  url: string;
  /** Returns an answer instead of the server's; `never`: no answer. Null forwards the call. */
  override: (call: { key: string; body: string; headers: IncomingHttpHeaders }) => Answer | 'never' | null;
  strip: string[];
  overridden: number;
}

/** A reverse proxy that can answer calls itself; it is closed after the test. */
export async function proxyForTest(server: TestServer): Promise<TestProxy> {
  const proxy: TestProxy = { url: '', override: () => null, strip: [], overridden: 0 };
  const http = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (part: Buffer) => void chunks.push(part));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { method, headers, url = '/' } = incoming;
      const ownAnswer = proxy.override({ key: `${method} ${url.split('?')[0]?.replace(/^\/api/, '')}`, body, headers });
      if (ownAnswer) {
        proxy.overridden++;
        if (ownAnswer === 'never') return;
        return void answer.writeHead(ownAnswer.status, { ...ownAnswer.headers, 'content-type': ownAnswer.type }).end(ownAnswer.body);
      }
      const forwardedHeaders = Object.fromEntries(Object.entries(headers).filter(([name]) => !proxy.strip.includes(name)));
      const passed = request(`${server.url}${url}`, { method, headers: forwardedHeaders }, (forwarded) => {
        answer.writeHead(forwarded.statusCode ?? 502, forwarded.headers);
        forwarded.pipe(answer);
        forwarded.once('error', () => answer.destroy());
      });
      passed.once('error', () => answer.destroy());
      answer.once('close', () => passed.destroy());
      passed.end(body);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  proxy.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  return proxy;
}
