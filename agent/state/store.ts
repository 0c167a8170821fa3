import { join } from 'node:path';
import {
  type DevicePolicy,
  devicePolicy,
  type ReportedDetection,
  reportedDetection,
  type ServerKeys,
  serverKeys,
} from '@porchlight/contract/agent.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { type News, news } from '@porchlight/contract/news.ts';
import { type SignedDocument, signedDocument, uuid } from '@porchlight/contract/shapes.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { z } from 'zod';
import { span } from '../lib/span.ts';
import { feedFiles } from './feed-files.ts';
import { jsonFilesIn, privateFolder } from './files.ts';
import { sealedFiles, stateKey } from './sealed.ts';

const identity = z.object({ server: z.string(), agent_token: z.string(), device: z.object({ uuid, name: z.string() }) });
/** Which device this computer is, and the token that proves it. */
export type Identity = z.infer<typeof identity>;

const freePlan = z.object({ since: z.enum(['chosen', 'removed']) });
/** Why a computer that is no device has the free plan: somebody chose it, or its device was removed (P3.6). */
export type FreePlan = z.infer<typeof freePlan>['since'];

/** `wrong`: PINs in a row. `locks`: how often it has locked since a right one. */
const pinTries = z.object({ wrong: z.number(), locks: z.number(), lock: span.nullable() });
export type PinTries = z.infer<typeof pinTries>;

const pauseKept = z.object({ device: uuid, span });
/** A pause of one device. */
export type PauseKept = z.infer<typeof pauseKept>;

/** `at`: by the clock. */
const leaving = z.object({ at: z.number() });
/** In milliseconds: whoever has not removed it by then has thought better of it. */
const leavingLife = 10 * 60_000;

const nonces = z.array(z.string());
const keptNonces = 500;

export type Store = Awaited<ReturnType<typeof openStore>>;

/** What survives a restart, as files in `folder`. `refused` is told the name of a file that is not believed. */
export async function openStore(folder: string, refused: (name: string) => void = () => {}) {
  await privateFolder(folder);
  const queue = await privateFolder(join(folder, 'detections'));
  const newsFolder = await privateFolder(join(folder, 'news'));
  const files = sealedFiles(await stateKey(folder), refused);
  const file = (name: string) => join(folder, `${name}.json`);
  const write = (name: string, value: unknown) => files.write(file(name), value);
  const all = async <T>(place: string, schema: z.ZodType<T>): Promise<T[]> => {
    const found: (T | null)[] = [];
    for (const path of await jsonFilesIn(place)) found.push(await files.read(path, schema));
    return found.filter((one) => one !== null);
  };

  const keys = () => files.read(file('server'), serverKeys);
  const policy = async (): Promise<DevicePolicy | null> => {
    const [document, pinned] = [await files.read(file('policy'), signedDocument), await keys()];
    // Verified anew each time: what was changed on the disk is not believed.
    return document && pinned ? openDocument(document, pinned.keys.policy, devicePolicy) : null;
  };
  const feed = feedFiles(join(folder, 'definitions'), async () => (await keys())?.keys.definitions ?? null);

  return {
    keys,
    pinKeys: (value: ServerKeys) => write('server', value),

    identity: () => files.read(file('identity'), identity),
    /** A new device starts with a policy of its own, whose versions begin anew, and with nothing to report of what this computer was before. */
    setIdentity: async (value: Identity) => {
      await files.remove(file('policy'));
      for (const place of [queue, newsFolder]) for (const path of await jsonFilesIn(place)) await files.remove(path);
      for (const name of ['pin-tries', 'pause']) await files.remove(file(name));
      await write('identity', value);
    },
    forgetIdentity: () => files.remove(file('identity')),

    /** Counts only while there is no identity. */
    freePlan: async (): Promise<FreePlan | null> => (await files.read(file('free-plan'), freePlan))?.since ?? null,
    setFreePlan: (since: FreePlan) => write('free-plan', { since }),

    policy,
    keepPolicy: (document: SignedDocument) => write('policy', document),

    feed,
    definitions: async (): Promise<DefinitionSet | null> => (await feed.held())?.definitions ?? null,

    nonceUsed: async (nonce: string) => ((await files.read(file('nonces'), nonces)) ?? []).includes(nonce),
    useNonce: async (nonce: string) => write('nonces', [...((await files.read(file('nonces'), nonces)) ?? []), nonce].slice(-keptNonces)),

    pinTries: () => files.read(file('pin-tries'), pinTries),
    setPinTries: (tries: PinTries) => write('pin-tries', tries),
    pause: () => files.read(file('pause'), pauseKept),
    setPause: (pause: PauseKept | null) => (pause ? write('pause', pause) : files.remove(file('pause'))),

    /** It is being removed, with the PIN: what ends now is no accident. */
    isLeaving: async (now: number) =>
      Math.abs(now - ((await files.read(file('leaving'), leaving))?.at ?? Number.NEGATIVE_INFINITY)) < leavingLife,
    setLeaving: (now: number) => write('leaving', { at: now }),

    /** On disk when this resolves (P4.5). The name sorts by time, so that the oldest is sent first. */
    queue: (detection: ReportedDetection) => files.write(join(queue, nameOf(detection)), detection, 'once'),
    queued: () => all(queue, reportedDetection),
    acknowledged: (detection: ReportedDetection) => files.remove(join(queue, nameOf(detection))),

    /** As the queue of detections. So much that nobody would want to hear it is not kept. */
    tell: async (one: News): Promise<void> => {
      if ((await jsonFilesIn(newsFolder)).length < limits.news_kept) await files.write(join(newsFolder, nameOf(one)), one, 'once');
    },
    untold: () => all(newsFolder, news),
    told: (one: News) => files.remove(join(newsFolder, nameOf(one))),
  };
}

function nameOf({ time, uuid }: Pick<News, 'time' | 'uuid'>): string {
  return `${new Date(time).getTime()}-${uuid}.json`;
}
