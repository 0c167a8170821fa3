import { brand } from '@porchlight/contract/brand.ts';
import { newPushState, openPushSimulator, type PushSimulator } from '@porchlight/simulators/push/push.ts';
import type { Config } from './config.ts';
import type { Db } from './db/open.ts';
import { noPush, type PushSender } from './integrations/push/push.ts';
import { knownPushServices } from './integrations/push/services.ts';
import { webPush } from './integrations/push/web-push.ts';
import { sharedDocument } from './lib/shared-document.ts';
import { storedItems } from './lib/stored-items.ts';
import { pushKeys } from './secrets/push-keys.ts';
import type { Sealer } from './secrets/seal.ts';

interface PushParts {
  db: Db;
  sealer: Sealer;
  simulatorDb: () => Db;
  closers: (() => Promise<void>)[];
}

/** The sender that the setting PUSH chooses, and its simulator. Adds to `closers` what it opens. */
export async function openPush(
  { push }: Config,
  { db, sealer, simulatorDb, closers }: PushParts,
): Promise<{ pushSender: PushSender; pushSimulator: PushSimulator | null }> {
  if (push.by === 'off') return { pushSender: noPush, pushSimulator: null };
  const pushSimulator = push.by === 'simulator' ? await openPushSimulator(await pushStorage(simulatorDb())) : null;
  if (pushSimulator) closers.push(pushSimulator.close);
  const pushSender = webPush({
    keys: await pushKeys(db, sealer),
    subject: `mailto:${brand.support.email}`,
    services: [...knownPushServices, ...push.services],
    simulator: pushSimulator,
  });
  closers.push(pushSender.close);
  return { pushSender, pushSimulator };
}

const pushStorage = async (db: Db) => ({
  items: storedItems(db, 'push'),
  state: await sharedDocument(db, 'push_subscribers', newPushState),
});
