import { type Act, type AlertSettings, careEndpoints } from '@porchlight/contract/care.ts';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/open.ts';
import { bind } from '../../lib/bind.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';
import { actSentence } from '../../notifications/render/activity-sentences.ts';
import type { SettingsStore } from '../../notifications/settings.ts';
import type { fireDrills } from '../fire-drill/drills.ts';
import type { Acts } from './gate.ts';
import type { ActRow, ActStore } from './store.ts';
import { type Standing, undoOf } from './undo.ts';
import type { StandingStore } from './undo-store.ts';

export interface CareRouteParts {
  db: Db;
  gates: Gates;
  settings: SettingsStore;
  actRows: ActStore;
  standings: StandingStore;
  acts: Acts;
  drills: ReturnType<typeof fireDrills>;
}

export function careRoutes(app: FastifyInstance, { db, gates, settings, actRows, standings, acts, drills }: CareRouteParts): void {
  const listed = async (account: string) => {
    const rows = await actRows.list(account);
    const now = await standings.of(account, rows);
    return rows.map((row) => onWire(row, now));
  };
  bind(app, gates, careEndpoints, {
    'GET /web/alert-settings': ({ account }) => settings.of(account),

    'PATCH /web/alert-settings': ({ account, body }) =>
      db.transaction().execute(async (trx) => {
        const before = await settings.ofLocked(trx, account);
        const now = { ...before, ...given(body) };
        if (!now.mail && !now.sms) fail('alerts_all_off');
        for (const [way, what] of [
          ['mail', 'emails'],
          ['sms', 'texts'],
        ] as const) {
          if (before[way] && !now[way]) await acts.weaken(trx, account, { kind: 'alerts_off', what });
        }
        if (now.silence_days > before.silence_days) {
          await acts.weaken(trx, account, {
            kind: 'silence_later',
            what: `${now.silence_days} days`,
            before: { silence_days: before.silence_days },
          });
        }
        await settings.set(trx, account, now);
        return now;
      }),

    'POST /web/fire-drill': async ({ account }) => ({ uuid: await drills.start(account) }),
    'GET /web/fire-drill': async ({ account }) => ({ drill: await drills.last(account) }),
    'GET /web/acts': async ({ account }) => ({ items: await listed(account) }),
  });
}

/** Only what was sent: what is left out stays. */
function given(body: { [K in keyof AlertSettings]?: AlertSettings[K] | undefined }): Partial<AlertSettings> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function onWire(row: ActRow, now: Standing): Act {
  const { uuid, kind, time, actor, device_name, what } = row;
  const device = device_name ?? '';
  return {
    uuid,
    kind,
    time: time.toISOString(),
    by: actor ?? device,
    words: actSentence({ kind, who: actor ?? '', device, what: what ?? '' }),
    undo: undoOf(row, now),
  };
}
