import { type Simulator, startSimulator } from './simulator.ts';

export interface Item {
  type: string;
  /** The item as received; a recording has two lines, of which the second is JSON. */
  text: string;
}

export interface Envelope {
  head: { trace?: { sampled?: string; sample_rate?: string }; sdk?: object };
  items: Item[];
}

export interface ErrorService extends Simulator {
  dsn: string;
  /** The received envelopes, oldest first. */
  envelopes(): Envelope[];
  items(type: string): Item[];
  errors(): string[];
}

/** A fake Sentry. Envelopes are a line of JSON, then for each item a line of JSON and its bytes or a line. */
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
  let offset = 0;
  const take = (length?: number) => {
    const lineEnd = bytes.indexOf('\n', offset);
    const end = length === undefined ? (lineEnd < 0 ? bytes.length : lineEnd) : offset + length;
    if (end > bytes.length) throw new Error('an item says that it is longer than its envelope');
    const chunk = bytes.subarray(offset, end).toString();
    offset = end;
    if (offset < bytes.length && bytes[offset] !== 10) throw new Error('an item does not end where it says');
    offset += 1;
    return chunk;
  };
  const head = JSON.parse(take());
  const items: Item[] = [];
  while (offset < bytes.length) {
    const { type, length } = JSON.parse(take());
    items.push({ type, text: take(length) });
  }
  return { head, items };
}
