import type { Kernel } from '../../kernel.ts';
import type { SettingsStore } from '../../notifications/settings.ts';
import type { BrowsingProtectionLookup, UnlistedProtectionLookup } from '../../ports.ts';
import type { ActivityRow } from './store.ts';
import type { AccountState } from './undo.ts';

export type UndoStore = ReturnType<typeof undoStore>;

export interface UndoStoreDeps extends Pick<Kernel, 'db' | 'clock'> {
  settings: Pick<SettingsStore, 'of'>;
  browsingOf: BrowsingProtectionLookup;
  unlistedOf: UnlistedProtectionLookup;
  asksFirst(account: string): Promise<boolean>;
  deletionWaits(account: string): Promise<boolean>;
  helpingIn(account: string): Promise<Set<string>>;
  guardiansOf(account: string): Promise<AccountState['guardians']>;
  hasValidPlan(account: string): Promise<boolean>;
}

export function undoStore({
  db,
  clock,
  settings,
  browsingOf,
  unlistedOf,
  asksFirst,
  deletionWaits,
  helpingIn,
  guardiansOf,
  hasValidPlan,
}: UndoStoreDeps) {
  return {
    async stateOf(account: string, entries: Pick<ActivityRow, 'kind' | 'time'>[]): Promise<AccountState> {
      const [plan, devices, allowList, guardians, profiles, chosenSettings, browsing, unlisted, ask_first, deletion_waits, helping] =
        await Promise.all([
          hasValidPlan(account),
          db
            .selectFrom('devices')
            .leftJoin('device_outages', 'device_outages.device', 'devices.uuid')
            .select(['devices.uuid', 'devices.policy', 'device_outages.kind', 'device_outages.since', 'device_outages.until'])
            .where('devices.account', '=', account)
            .execute(),
          db
            .selectFrom('allow_list')
            .innerJoin('devices', 'devices.uuid', 'allow_list.device')
            .select('allow_list.id')
            .where('devices.account', '=', account)
            .where('allow_list.refused', 'is', null)
            .where((row) => row.or([row('allow_list.until', 'is', null), row('allow_list.until', '>', clock.now())]))
            .execute(),
          guardiansOf(account),
          db.selectFrom('custom_policies').select('uuid').where('account', '=', account).execute(),
          settings.of(account),
          browsingOf(account),
          unlistedOf(account),
          asksFirst(account),
          deletionWaits(account),
          helpingIn(account),
        ]);
      const lastTimes: AccountState['last'] = new Map();
      for (const { kind, time } of entries) lastTimes.set(kind, Math.max(lastTimes.get(kind) ?? 0, time.getTime()));
      return {
        plan,
        devices: new Map(
          devices.map(({ uuid, policy, kind, since, until }) => [
            uuid,
            {
              policy,
              paused_since: kind === 'paused' && until && until > clock.now() ? since : null,
              gone: kind === 'uninstalled' || kind === 'left',
            },
          ]),
        ),
        allowed: new Set(allowList.map(({ id }) => id)),
        guardians,
        profiles: new Set(profiles.map(({ uuid }) => uuid)),
        settings: chosenSettings,
        browsing,
        unlisted,
        ask_first,
        deletion_waits,
        helping,
        last: lastTimes,
      };
    },
  };
}
