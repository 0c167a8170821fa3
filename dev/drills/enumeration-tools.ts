import type { Api } from '@porchlight/contract/all.ts';

export interface ApiCall {
  key: keyof Api;
  token?: string;
  body?: object;
}

/** `ms`: milliseconds until the last byte of the answer. */
export interface Answer {
  ms: number;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Calls from a new address each time, so that no rate limit is reached; the server must trust its proxy. */
export function newCaller(url: string): (apiCall: ApiCall) => Promise<Answer> {
  let addressNumber = 0;
  return async ({ key, token, body }) => {
    addressNumber += 1;
    const [method = '', path = ''] = key.split(' ');
    const headers = {
      'x-forwarded-for': `198.18.${(addressNumber >> 8) % 256}.${addressNumber % 256}`,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const startedAt = performance.now();
    const reply = await fetch(`${url}/api${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await reply.text();
    return { ms: performance.now() - startedAt, status: reply.status, headers: Object.fromEntries(reply.headers), body: text };
  };
}

export function comparablePart({ status, headers, body }: Answer): string {
  const { date: _date, 'x-request-id': id, ...otherHeaders } = headers;
  return JSON.stringify([status, otherHeaders, id ? body.replaceAll(id, '') : body]);
}

/** Medians in milliseconds, and their relative difference: 0.05 is 5 %. */
export function medianDifference(firstAnswers: Answer[], secondAnswers: Answer[]): { medians: [number, number]; difference: number } {
  const medians: [number, number] = [median(firstAnswers), median(secondAnswers)];
  return { medians, difference: Math.max(...medians) / Math.min(...medians) - 1 };
}

function median(answers: Answer[]): number {
  const durations = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const middle = Math.floor(durations.length / 2);
  const [lowerMiddle = 0, upperMiddle = 0] =
    durations.length % 2 ? [durations[middle], durations[middle]] : [durations[middle - 1], durations[middle]];
  return (lowerMiddle + upperMiddle) / 2;
}
