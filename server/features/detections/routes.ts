import type { Told } from '@porchlight/contract/alerts.ts';
import { type Detection, detectionEndpoints } from '@porchlight/contract/detections.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../lib/bind.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';
import { type DefinitionHelp, explain, isSite } from './rules.ts';
import type { AlertRow, DetectionStore } from './store.ts';

export interface DetectionParts {
  clock: Clock;
  gates: Gates;
  store: DetectionStore;
  helpOf: (identifiers: string[]) => Promise<Map<string, DefinitionHelp>>;
  ownsDevice: (account: string, device: string) => Promise<boolean>;
  /** Who was told of each of these alerts. */
  toldOf: (account: string, kind: 'alert', about: string[]) => Promise<Map<string, Told[]>>;
  /** The guardians who said that they are on it. */
  seenOf: (account: string, alerts: string[]) => Promise<Map<string, { name: string; time: string }[]>>;
}

export function detectionRoutes(app: FastifyInstance, parts: DetectionParts): void {
  const { gates, store, helpOf, ownsDevice, toldOf, seenOf } = parts;
  const onWire = async (account: string, rows: AlertRow[]): Promise<Detection[]> => {
    const uuids = rows.map(({ uuid }) => uuid);
    const help = await helpOf(rows.map(({ identifier }) => identifier));
    const told = await toldOf(account, 'alert', uuids);
    const seen = await seenOf(account, uuids);
    return rows.map((row) => ({
      ...alertOnWire(row, help.get(row.identifier)),
      told: told.get(row.uuid) ?? [],
      seen: seen.get(row.uuid) ?? [],
    }));
  };

  bind(app, gates, detectionEndpoints, {
    'GET /web/detections': async ({ account, query }) => {
      if (query.device && !(await ownsDevice(account, query.device))) fail('not_found');
      const rows = await store.list(account, query);
      const open = query.offset === 0 && !query.device ? await unblockedBeside(rows, account, query.length, parts) : undefined;
      const items = await onWire(account, open ? [...rows, open] : rows);
      return open ? { items: items.slice(0, -1), unblocked: items.at(-1) } : { items };
    },
    'GET /web/detections/:id': async ({ account, params }) => {
      const row = (await store.get(account, params.id)) ?? fail('not_found');
      return (await onWire(account, [row]))[0] ?? fail('not_found');
    },
  });
}

const day = 24 * 3_600_000;

/**
 * The newest alert of the last 24 hours that was not blocked, when none is among the newest `length` ones, which are `rows`:
 * what is still open is told however much was stopped since.
 */
export async function unblockedBeside(
  rows: AlertRow[],
  account: string,
  length: number,
  { store, clock }: { store: DetectionStore; clock: Clock },
): Promise<AlertRow | undefined> {
  if (rows.length < length) return undefined;
  const open = await store.newestUnblocked(account, after(clock.now(), -day));
  return rows.some(({ uuid }) => uuid === open?.uuid) ? undefined : open;
}

/** Without who was told: a guardian sees no other guardian (P5.2). */
export function alertOnWire(row: AlertRow, help: DefinitionHelp | undefined): Detection {
  const repeats = Number(row.repeats ?? 0);
  const site = isSite(row);
  const parts = explain({ ...row, site }, row.device_name, help);
  return {
    uuid: row.uuid,
    device_id: row.device,
    info: {
      time: row.time.toISOString(),
      name: row.name,
      identifier: row.identifier,
      category: row.category,
      details: row.details,
      blocked: row.blocked,
      certainty: row.certainty,
      site,
      times: 1 + repeats,
      last_time: latest(row.time, row.last_repeat).toISOString(),
    },
    helptext: { name: row.name, warning_markdown: parts.what_to_do },
    parts,
  };
}

function latest(a: Date, b: Date | null): Date {
  return b && b > a ? b : a;
}
