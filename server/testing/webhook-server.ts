import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedEvent {
  text: string;
  problem: string;
  state: string;
  since: string;
  server: string;
}

export interface WebhookServer {
  url: string;
  /** Those that were answered with a status of success, the oldest first. */
  accepted: ReceivedEvent[];
  /** All calls. */
  calls: string[];
  /** The status of each answer from now on; null: no answer. */
  status: number | null;
}

/** An address of the operator on this computer, closed after the test. */
export async function webhookServer(): Promise<WebhookServer> {
  const http = createServer((request, response) => {
    const read = async () => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
      received.calls.push(`${request.method} ${request.url} ${request.headers['content-type']}`);
      if (received.status === null) return;
      if (received.status < 300) received.accepted.push(JSON.parse(body) as ReceivedEvent);
      response.writeHead(received.status, received.status < 400 && received.status >= 300 ? { location: '/elsewhere' } : {}).end();
    };
    read().catch(() => response.destroy());
  });
  const received: WebhookServer = { url: '', accepted: [], calls: [], status: 204 };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  received.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook-secret`;
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return received;
}
