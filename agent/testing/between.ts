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

export interface Between {
  /** Where the server is reached through it. */
  url: string;
  /** What it answers in the place of the server, which hears nothing of it then. `never`: it does not answer. Null: it passes the call on. */
  instead: (call: { key: string; body: string; headers: IncomingHttpHeaders }) => Answer | 'never' | null;
  /** Headers that it does not pass on. */
  strip: string[];
  /** How often it answered itself. */
  answered: number;
}

/** A reverse proxy before the server, with a mind of its own. It is gone when the test is over. */
export async function standBetween(server: TestServer): Promise<Between> {
  const between: Between = { url: '', instead: () => null, strip: [], answered: 0 };
  const http = createServer((asked, answer) => {
    const deps: Buffer[] = [];
    asked.on('data', (part: Buffer) => void deps.push(part));
    asked.on('end', () => {
      const body = Buffer.concat(deps).toString('utf8');
      const { method, headers, url = '/' } = asked;
      const own = between.instead({ key: `${method} ${url.split('?')[0]?.replace(/^\/api/, '')}`, body, headers });
      if (own) {
        between.answered++;
        if (own === 'never') return;
        return void answer.writeHead(own.status, { ...own.headers, 'content-type': own.type }).end(own.body);
      }
      const left = Object.fromEntries(Object.entries(headers).filter(([name]) => !between.strip.includes(name)));
      const passed = request(`${server.url}${url}`, { method, headers: left }, (from) => {
        answer.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(answer);
        from.once('error', () => answer.destroy());
      });
      passed.once('error', () => answer.destroy());
      answer.once('close', () => passed.destroy());
      passed.end(body);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  between.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  return between;
}
