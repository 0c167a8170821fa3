import { type AlertSettings, careEndpoints } from '@porchlight/contract/care.ts';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/open.ts';
import { bind } from '../lib/bind.ts';
import { fail } from '../lib/errors.ts';
import type { Gates } from '../lib/gates.ts';
import type { WeakeningGate } from '../ports.ts';
import type { SettingsStore } from './settings.ts';

export interface SettingsDeps {
  db: Db;
  gates: Gates;
  settings: SettingsStore;
  weaken: WeakeningGate;
}

const endpoints = {
  'GET /web/alert-settings': careEndpoints['GET /web/alert-settings'],
  'PATCH /web/alert-settings': careEndpoints['PATCH /web/alert-settings'],
};

export function settingsRoutes(app: FastifyInstance, { db, gates, settings, weaken }: SettingsDeps): void {
  bind(app, gates, endpoints, {
    'GET /web/alert-settings': ({ account }) => settings.of(account),

    'PATCH /web/alert-settings': ({ account, body }) =>
      db.transaction().execute(async (trx) => {
        const before = await settings.ofLocked(trx, account);
        const now = { ...before, ...given(body) };
        if (!now.mail && !now.sms) fail('alerts_all_off');
        for (const [channel, what] of [
          ['mail', 'emails'],
          ['sms', 'texts'],
        ] as const) {
          if (before[channel] && !now[channel]) await weaken(trx, account, { kind: 'alerts_off', what });
        }
        if (now.silence_days > before.silence_days) {
          await weaken(trx, account, {
            kind: 'silence_later',
            what: `${now.silence_days} days`,
            before: { silence_days: before.silence_days },
          });
        }
        await settings.set(trx, account, now);
        return now;
      }),
  });
}

/** Only the fields that were sent: those left out stay as they are. */
function given(body: { [K in keyof AlertSettings]?: AlertSettings[K] | undefined }): Partial<AlertSettings> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
