import type { Db } from '../db/open.ts';
import { enqueuer } from '../jobs/queue.ts';
import type { Clock } from '../lib/clock.ts';
import type { Notify } from '../ports.ts';
import type { Sealer } from '../secrets/seal.ts';
import { deliveryStore } from './deliveries.ts';
import { type NotifierDeps, notifier } from './notify.ts';
import { renameStore } from './renames.ts';
import { settingsStore } from './settings.ts';
import { unsubscribeLinks } from './unsubscribe-links.ts';

export interface OperatorNotifierDeps
  extends Pick<NotifierDeps, 'dashboard_url' | 'holderOf' | 'activeGuardians' | 'optedOut' | 'sms' | 'pushServicesOf'> {
  db: Db;
  clock: Clock;
  sealer: Pick<Sealer, 'mac'>;
  public_url: string;
}

/** Notifies people of what the operator's command does. It queues the notifications, and the server sends them. */
export function operatorNotifier({ db, clock, ...deps }: OperatorNotifierDeps): Notify {
  const deliveries = deliveryStore(db, clock);
  return notifier({
    ...deps,
    clock,
    enqueue: enqueuer(clock),
    renamesOf: renameStore(clock).of,
    settingsOf: settingsStore(db).of,
    smsSince: deliveries.smsSince,
    expect: deliveries.expect,
    unsubscribe: unsubscribeLinks(deps.sealer, deps.public_url).ofNotification,
  });
}
