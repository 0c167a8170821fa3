import { request } from 'node:http';

/** The page in place of `host`. `fetch` lets nobody choose the host. */
export const pageAt = (port: number, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/', headers: { host } }, (answer) => {
      let text = '';
      answer.on('data', (part: Buffer) => (text += part.toString()));
      answer.on('end', () => resolve(text));
    })
      .once('error', reject)
      .end();
  });
