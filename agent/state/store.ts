import { join } from 'node:path';
import {
  type DevicePolicy,
  devicePolicy,
  type ReportedDetection,
  reportedDetection,
  type ServerKeys,
  serverKeys,
} from '@porchlight/contract/agent.ts';
import { type SignedDocument, signedDocument, uuid } from '@porchlight/contract/shapes.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { z } from 'zod';
import { feedFiles } from './feed-files.ts';
import { jsonFilesIn, privateFolder, readWhole, removeFile, writeWhole } from './files.ts';

const identity = z.object({ server: z.string(), agent_token: z.string(), device: z.object({ uuid, name: z.string() }) });
/** Which device this computer is, and the token that proves it. */
export type Identity = z.infer<typeof identity>;

const freePlan = z.object({ since: z.enum(['chosen', 'removed']) });
/** Why a computer that is no device has the free plan: somebody chose it, or its device was removed (P3.6). */
export type FreePlan = z.infer<typeof freePlan>['since'];

const nonces = z.array(z.string());
const keptNonces = 500;

export type Store = Awaited<ReturnType<typeof openStore>>;

/** What survives a restart, as files in `folder`. */
export async function openStore(folder: string) {
  await privateFolder(folder);
  const queue = await privateFolder(join(folder, 'detections'));
  const file = (name: string) => join(folder, `${name}.json`);
  const write = (name: string, value: unknown) => writeWhole(file(name), JSON.stringify(value));

  const keys = () => readWhole(file('server'), serverKeys);
  const policy = async (): Promise<DevicePolicy | null> => {
    const [document, pinned] = [await readWhole(file('policy'), signedDocument), await keys()];
    // Verified anew each time: what was changed on the disk is not believed.
    return document && pinned ? openDocument(document, pinned.keys.policy, devicePolicy) : null;
  };
  const feed = feedFiles(join(folder, 'definitions'), async () => (await keys())?.keys.definitions ?? null);

  return {
    keys,
    pinKeys: (value: ServerKeys) => write('server', value),

    identity: () => readWhole(file('identity'), identity),
    /** A new device starts with a policy of its own, whose versions begin anew, and with nothing to report of what this computer was before. */
    setIdentity: async (value: Identity) => {
      await removeFile(file('policy'));
      for (const path of await jsonFilesIn(queue)) await removeFile(path);
      await write('identity', value);
    },
    forgetIdentity: () => removeFile(file('identity')),

    /** Counts only while there is no identity. */
    freePlan: async (): Promise<FreePlan | null> => (await readWhole(file('free-plan'), freePlan))?.since ?? null,
    setFreePlan: (since: FreePlan) => write('free-plan', { since }),

    policy,
    keepPolicy: (document: SignedDocument) => write('policy', document),

    feed,
    definitions: async (): Promise<DefinitionSet | null> => (await feed.held())?.definitions ?? null,

    nonceUsed: async (nonce: string) => ((await readWhole(file('nonces'), nonces)) ?? []).includes(nonce),
    useNonce: async (nonce: string) => write('nonces', [...((await readWhole(file('nonces'), nonces)) ?? []), nonce].slice(-keptNonces)),

    /** On disk when this resolves (P4.5). The name sorts by time, so that the oldest is sent first. */
    queue: (detection: ReportedDetection) => writeWhole(join(queue, nameOf(detection)), JSON.stringify(detection)),
    queued: async (): Promise<ReportedDetection[]> => {
      const all = await Promise.all((await jsonFilesIn(queue)).map((path) => readWhole(path, reportedDetection)));
      return all.filter((d) => d !== null);
    },
    acknowledged: (detection: ReportedDetection) => removeFile(join(queue, nameOf(detection))),
  };
}

function nameOf(detection: ReportedDetection): string {
  return `${new Date(detection.time).getTime()}-${detection.uuid}.json`;
}
