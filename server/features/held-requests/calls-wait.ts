import type { Db, Trx } from '../../db/open.ts';
import type { HoldSettingsPort } from '../../incident-ports.ts';

export type CallsWait = (account: string, connection?: Db | Trx) => Promise<boolean>;

/** Whether weakening calls of an account wait: in an incident, or because the account asks first (P10.1, P10.3). */
export const callsWait =
  (hasOpenIncident: CallsWait, settings: Pick<HoldSettingsPort, 'asksFirst'>): CallsWait =>
  async (account, connection) =>
    (await hasOpenIncident(account, connection)) || settings.asksFirst(account, connection);
