import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import {
  type DevicePolicy,
  devicePolicy,
  type ReportedDetection,
  reportedDetection,
  type ServerKeys,
  serverKeys,
} from '@porchlight/contract/agent.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { type News, news } from '@porchlight/contract/news.ts';
import { type SignedDocument, signedDocument, uuid } from '@porchlight/contract/shapes.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { z } from 'zod';
import { span } from '../lib/span.ts';
import { detectionQueue } from './detection-queue.ts';
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

const failedUpdates = z.array(z.string());
/** `at`: by the clock. */
const leaving = z.object({ at: z.number() });
/** In milliseconds: whoever has not removed it by then has thought better of it. */
const leavingLife = 10 * 60_000;

const ending = z.object({ process: z.object({ pid: z.number(), started: z.string() }), detection: reportedDetection });
type Ending = z.infer<typeof ending>;

const nonces = z.array(z.string());
const keptNonces = 500;

const enrolling = z.object({ code: z.string(), id: uuid });

export type Store = Awaited<ReturnType<typeof openStore>>;

/** What survives a restart, as files in `folder`. `refused` is told the name of a file that is not believed. */
export async function openStore(folder: string, refused: (name: string) => void = () => {}) {
  await privateFolder(folder);
  const queueFolder = await privateFolder(join(folder, 'detections'));
  const begun = await privateFolder(join(folder, 'begun'));
  const newsFolder = await privateFolder(join(folder, 'news'));
  const files = sealedFiles(await stateKey(folder), refused);
  const finish = ({ uuid }: ReportedDetection) => files.remove(join(begun, `${uuid}.json`));
  const queue = detectionQueue(queueFolder, files, { kept: finish });
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
      await queue.forgetQueue();
      for (const place of [begun, newsFolder]) for (const path of await jsonFilesIn(place)) await files.remove(path);
      for (const name of ['pin-tries', 'pause']) await files.remove(file(name));
      await write('identity', value);
      await files.remove(file('enrolling'));
    },
    forgetIdentity: () => files.remove(file('identity')),

    /** What the attempt to use this code up is called: the same after the answer to it was lost, and after a restart. */
    enrolId: async (code: string): Promise<string> => {
      const before = await files.read(file('enrolling'), enrolling);
      if (before?.code === code) return before.id;
      const id = randomUUID();
      await write('enrolling', { code, id });
      return id;
    },

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

    /** Versions of the agent that did not protect this computer when they were tried. */
    failedUpdates: async () => (await files.read(file('failed-updates'), failedUpdates)) ?? [],
    noteFailedUpdate: async (version: string) =>
      write('failed-updates', [...((await files.read(file('failed-updates'), failedUpdates)) ?? []), version].slice(-20)),
    /** It is being removed, with the PIN: what ends now is no accident. */
    isLeaving: async (now: number) =>
      Math.abs(now - ((await files.read(file('leaving'), leaving))?.at ?? Number.NEGATIVE_INFINITY)) < leavingLife,
    setLeaving: (now: number) => write('leaving', { at: now }),
    /** It is not removed after all. */
    stay: () => files.remove(file('leaving')),

    ...queue,
    /** All that waits for the server, oldest first. */
    async queued(): Promise<ReportedDetection[]> {
      const found: (ReportedDetection | null)[] = [];
      for (const path of await queue.queuedFiles()) found.push(await queue.queuedIn(path));
      return found.filter((one) => one !== null);
    },

    /** A program is about to be ended. Written before this returns, so that being killed meanwhile does not lose it; a power cut may. */
    begin: ({ pid, started }: Ending['process'], detection: ReportedDetection) =>
      files.writeNow(join(begun, `${detection.uuid}.json`), { process: { pid, started }, detection }),
    /** What came of it is in the queue. */
    finish,
    /** Queues what was being ended when we were killed, and is gone. What still runs is found anew. Throws the last error, when all was tried. */
    takeUp: async (isRunning: (process: Ending['process']) => boolean): Promise<void> => {
      let failed: unknown;
      for (const { process, detection } of await all(begun, ending)) {
        try {
          if (!isRunning(process)) await queue.queue(detection);
          await finish(detection);
        } catch (err) {
          failed = err;
        }
      }
      if (failed !== undefined) throw failed;
    },

    /** As the queue of detections, but in the order in which it is told, whatever the clock says. So much that nobody would want to hear it is not kept. */
    tell: async (one: News): Promise<void> => {
      const before = await jsonFilesIn(newsFolder);
      if (before.length >= agentLimits.news_kept) return;
      const next = 1 + Number.parseInt(basename(before.at(-1) ?? '0'), 10);
      await files.write(join(newsFolder, `${String(next).padStart(12, '0')}-${one.uuid}.json`), one, 'once');
    },
    untold: () => all(newsFolder, news),
    untoldFiles: () => jsonFilesIn(newsFolder),
    untoldIn: (path: string) => files.read(path, news),
    told: async ({ uuid }: News) => {
      for (const path of await jsonFilesIn(newsFolder)) if (path.endsWith(`-${uuid}.json`)) await files.remove(path);
    },
  };
}
