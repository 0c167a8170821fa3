import type { Db, Trx } from '../../db/open.ts';
import type { GuardiansFactLookup, HoldSettingsPort } from '../../incident-ports.ts';
import { after, type Clock } from '../../lib/clock.ts';

/** A guardian who left or was removed within this time may come back (P10.2). */
const may_come_back = 7 * 24 * 3_600_000;

export interface GuardiansFactDeps {
  clock: Clock;
  settings: Pick<HoldSettingsPort, 'of'>;
  activeGuardians(account: string, connection: Db | Trx): Promise<unknown[]>;
}

/** See `GuardiansFact`. */
export function guardiansFact({ clock, settings, activeGuardians }: GuardiansFactDeps): GuardiansFactLookup {
  return async (account, connection) => {
    if ((await activeGuardians(account, connection)).length > 0) return 'some';
    const { guardian_gone } = await settings.of(account, connection);
    return guardian_gone !== null && after(guardian_gone, may_come_back) > clock.now() ? 'gone' : 'none';
  };
}
