import { type AlertSettings, alertSettingsEndpoints } from '@porchlight/contract/alert-settings.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../http/bind.ts';
import { weakeningCall } from '../http/weakening-call.ts';
import type { Kernel } from '../kernel.ts';
import { fail } from '../lib/errors.ts';
import type { SettingsStore } from './settings.ts';

export interface SettingsDeps extends Pick<Kernel, 'gates' | 'weakening'> {
  settings: SettingsStore;
}

export function settingsRoutes(app: FastifyInstance, { gates, settings, weakening }: SettingsDeps): void {
  bind(app, gates, alertSettingsEndpoints, {
    'GET /web/alert-settings': ({ account }) => settings.of(account),

    'PATCH /web/alert-settings': (call) =>
      weakening(weakeningCall(call), async (trx, weaken) => {
        const { account, body } = call;
        const before = await settings.ofLocked(trx, account);
        const newSettings = { ...before, ...withoutUndefined(body) };
        if (!newSettings.mail && !newSettings.sms) fail('alerts_all_off');
        for (const channel of ['mail', 'sms'] as const) {
          if (before[channel] && !newSettings[channel]) await weaken({ kind: 'alerts_off', what: channel });
        }
        if (newSettings.notify_after_days > before.notify_after_days) {
          await weaken({
            kind: 'outage_later',
            what: String(newSettings.notify_after_days),
            before: { notify_after_days: before.notify_after_days },
          });
        }
        await settings.set(trx, account, newSettings);
        return newSettings;
      }),
  });
}

/** Settings that were not sent stay as they are. */
function withoutUndefined(body: { [K in keyof AlertSettings]?: AlertSettings[K] | undefined }): Partial<AlertSettings> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
