import type { makeFetchTransport } from '@sentry/browser';
import { cleanText, type Place } from './addresses.ts';

/** A header, and items of JSON, or a recording as text. */
export type Envelope = Parameters<ReturnType<typeof makeFetchTransport>['send']>[0];
type Item = [header: { type: string; length?: number; item_count?: number }, payload: unknown];

/** Removes personal data, and spans from before `since` (ms); null if nothing is left. */
export function cleanEnvelope([head, items]: Envelope, place: Place, since: number): Envelope | null {
  const cleanedItems = (items as Item[]).flatMap((item) => allowedItems(item, since)).map((item) => clean(item, place));
  return cleanedItems.length ? ([cleanJson(head, place), cleanedItems] as Envelope) : null;
}

function allowedItems([header, payload]: Item, since: number): Item[] {
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

/** A recording's header has its length in bytes. */
function clean([header, payload]: Item, place: Place): Item {
  if (typeof payload !== 'string') return [header, cleanJson(payload, place)];
  const text = cleanText(payload, place);
  return [{ ...header, length: new TextEncoder().encode(text).length }, text];
}

function cleanJson(value: unknown, place: Place): unknown {
  return JSON.parse(cleanText(JSON.stringify(value), place));
}
