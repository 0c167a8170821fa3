import { type Simulator, startSimulator } from './simulator.ts';

export interface Item {
  type: string;
  /** As it arrived; a recording is two lines, of which the second is JSON. */
  text: string;
}

export interface Envelope {
  head: { trace?: { sampled?: string; sample_rate?: string }; sdk?: object };
  items: Item[];
}

export interface ErrorService extends Simulator {
  dsn: string;
  /** Oldest first. */
  envelopes(): Envelope[];
  items(type: string): Item[];
  /** The errors: what kind, and in which words. */
  errors(): string[];
}

/** Takes envelopes as a Sentry does: a line of JSON, then for each item a line of JSON and as many bytes as it says, or a line. */
export async function startErrorService(): Promise<ErrorService> {
  const service = await startSimulator(({ method, path, query }) =>
    method === 'POST' && path === '/api/7/envelope/' && query.get('sentry_key') === 'publickey'
      ? { type: 'application/json', body: '{"id":"11111111111141118111111111111111"}' }
      : { status: 404 },
  );
  const envelopes = () => service.asked.map(({ body }) => readEnvelope(Buffer.from(body)));
  const items = (type: string) => envelopes().flatMap((envelope) => envelope.items.filter((item) => item.type === type));
  return {
    ...service,
    dsn: `${service.url.replace('//', '//publickey@')}/7`,
    envelopes,
    items,
    errors: () =>
      items('event').map(({ text }) => {
        const { type, value } = JSON.parse(text).exception.values.at(-1);
        return `${type}: ${value}`;
      }),
  };
}

function readEnvelope(bytes: Buffer): Envelope {
  let at = 0;
  const take = (length?: number) => {
    const lineEnd = bytes.indexOf('\n', at);
    const end = length === undefined ? (lineEnd < 0 ? bytes.length : lineEnd) : at + length;
    if (end > bytes.length) throw new Error('an item says that it is longer than its envelope');
    const part = bytes.subarray(at, end).toString();
    at = end;
    if (at < bytes.length && bytes[at] !== 10) throw new Error('an item does not end where it says');
    at += 1;
    return part;
  };
  const head = JSON.parse(take());
  const items: Item[] = [];
  while (at < bytes.length) {
    const { type, length } = JSON.parse(take());
    items.push({ type, text: take(length) });
  }
  return { head, items };
}
