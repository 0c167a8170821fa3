import type { Api } from '@porchlight/contract/all.ts';

/** A question to the server, as the contract names it. */
export interface Asked {
  key: keyof Api;
  token?: string;
  body?: object;
}

/** What came back, and how long it took until the last byte. */
export interface Answer {
  ms: number;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Asks as if each question came from somewhere else, so that no limit by place is reached; the server must trust its proxy. */
export function asker(url: string): (asked: Asked) => Promise<Answer> {
  let place = 0;
  return async ({ key, token, body }) => {
    place += 1;
    const [method = '', path = ''] = key.split(' ');
    const headers = {
      'x-forwarded-for': `198.18.${(place >> 8) % 256}.${place % 256}`,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const began = performance.now();
    const reply = await fetch(`${url}/api${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await reply.text();
    return { ms: performance.now() - began, status: reply.status, headers: Object.fromEntries(reply.headers), body: text };
  };
}

/** All of an answer that one may compare: without the time of day and the number of the request. */
export function withoutWhatAlwaysDiffers({ status, headers, body }: Answer): string {
  const { date: _date, 'x-request-id': id, ...rest } = headers;
  return JSON.stringify([status, rest, id ? body.replaceAll(id, '') : body]);
}

/** Both medians in milliseconds, and by how much the longer one is longer: 0.05 is 5 %. */
export function medianDifference(some: Answer[], others: Answer[]): { medians: [number, number]; difference: number } {
  const medians: [number, number] = [median(some), median(others)];
  return { medians, difference: Math.max(...medians) / Math.min(...medians) - 1 };
}

function median(answers: Answer[]): number {
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const middle = Math.floor(times.length / 2);
  const [below = 0, above = 0] = times.length % 2 ? [times[middle], times[middle]] : [times[middle - 1], times[middle]];
  return (below + above) / 2;
}
