import type { makeFetchTransport } from '@sentry/browser';
import { cleanText, type Place } from './addresses.ts';

/** What travels to a Sentry: a head, and items that are JSON, or a recording as text. */
export type Envelope = Parameters<ReturnType<typeof makeFetchTransport>['send']>[0];
type Item = [header: { type: string; length?: number; item_count?: number }, payload: unknown];

/** The same envelope without anyone in it, and without a span that began before `since`, in milliseconds; null when nothing is left. */
export function cleanEnvelope([head, items]: Envelope, place: Place, since: number): Envelope | null {
  const kept = (items as Item[]).flatMap((item) => allowed(item, since)).map((item) => clean(item, place));
  return kept.length ? ([cleanJson(head, place), kept] as Envelope) : null;
}

function allowed([header, payload]: Item, since: number): Item[] {
  if (header.type !== 'span') return [[header, payload]];
  const { items, ...rest } = payload as { items: { start_timestamp: number }[] };
  const spans = items.filter(({ start_timestamp }) => start_timestamp * 1000 >= since);
  return spans.length
    ? [
        [
          { ...header, item_count: spans.length },
          { ...rest, items: spans },
        ],
      ]
    : [];
}

/** A recording says in its header how many bytes it has. */
function clean([header, payload]: Item, place: Place): Item {
  if (typeof payload !== 'string') return [header, cleanJson(payload, place)];
  const text = cleanText(payload, place);
  return [{ ...header, length: new TextEncoder().encode(text).length }, text];
}

function cleanJson(what: unknown, place: Place): unknown {
  return JSON.parse(cleanText(JSON.stringify(what), place));
}
