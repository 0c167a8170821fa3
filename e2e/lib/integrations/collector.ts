import { type Simulator, startSimulator } from './simulator.ts';

export interface Collector extends Simulator {
  /** The received events, oldest first. */
  events(): { name: string; domain: string; url: string; referrer?: string }[];
}

/** A fake Plausible: `POST /api/event`, JSON as text. */
export async function startCollector(): Promise<Collector> {
  const service = await startSimulator(({ method, path }) =>
    method === 'POST' && path === '/api/event' ? { status: 202, body: 'ok' } : { status: 404 },
  );
  return { ...service, events: () => service.asked.map(({ body }) => JSON.parse(body)) };
}
