import { type StandIn, standIn } from './simulator.ts';

export interface Collector extends StandIn {
  /** What it was told, oldest first. */
  events(): { name: string; domain: string; url: string; referrer?: string }[];
}

/** Counts pages as Plausible does: `POST /api/event`, JSON as text. */
export async function startCollector(): Promise<Collector> {
  const service = await standIn(({ method, path }) =>
    method === 'POST' && path === '/api/event' ? { status: 202, body: 'ok' } : { status: 404 },
  );
  return { ...service, events: () => service.asked.map(({ body }) => JSON.parse(body)) };
}
