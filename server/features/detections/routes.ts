import { type Detection, detectionEndpoints } from '@porchlight/contract/detections.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../lib/bind.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';
import { type DefinitionHelp, explain } from './rules.ts';
import type { AlertRow, DetectionStore } from './store.ts';

export interface DetectionParts {
  gates: Gates;
  store: DetectionStore;
  helpFor: (identifier: string) => DefinitionHelp | undefined;
  ownsDevice: (account: string, device: string) => Promise<boolean>;
}

export function detectionRoutes(app: FastifyInstance, { gates, store, helpFor, ownsDevice }: DetectionParts): void {
  const onWire = (row: AlertRow) => alertOnWire(row, helpFor(row.identifier));

  bind(app, gates, detectionEndpoints, {
    'GET /web/detections': async ({ account, query }) => {
      if (query.device && !(await ownsDevice(account, query.device))) fail('not_found');
      return { items: (await store.list(account, query)).map(onWire) };
    },
    'GET /web/detections/:id': async ({ account, params }) => onWire((await store.get(account, params.id)) ?? fail('not_found')),
  });
}

export function alertOnWire(row: AlertRow, help: DefinitionHelp | undefined): Detection {
  const repeats = Number(row.repeats ?? 0);
  const parts = explain(row, row.device_name, help);
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
