import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import {
  accountHolder,
  type DevicePolicy,
  devicePolicy,
  type ReportedDetection,
  reportedDetection,
  type ServerKeys,
  serverKeys,
} from '@porchlight/contract/agent.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { type News, news } from '@porchlight/contract/news.ts';
import { pinHash, type SignedDocument, signedDocument, uuid } from '@porchlight/contract/shapes.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { z } from 'zod';
import { span } from '../lib/span.ts';
import { detectionQueue } from './detection-queue.ts';
import { feedFiles } from './feed-files.ts';
import { jsonFilesIn, privateFolder, removeHalfWritten } from './files.ts';
import { keyFiles } from './key-files.ts';
import { lockWithin } from './lock.ts';
import { sealedFiles, stateKey } from './sealed.ts';

const identity = z.object({
  server: z.string(),
  agent_token: z.string(),
  device: z.object({ uuid, name: z.string() }),
  /** As it was said when it was linked; the signed policy says it since. */
  holder: accountHolder.nullable().default(null),
});
/** Which device this computer is, whose, and the token that proves it. */
export type Identity = z.infer<typeof identity>;
/** `counts_tries`: its count of PINs was there from the first. Not so where it was linked by an agent that began to count with the first try. */
const keptIdentity = identity.extend({ counts_tries: z.boolean().default(false) });

const freePlan = z.object({ since: z.enum(['chosen', 'removed']) });
/** Why a computer that is no device has the free plan: somebody chose it, or its device was removed (P3.6). */
export type FreePlan = z.infer<typeof freePlan>['since'];

/** `wrong`: PINs in a row. `locks`: how often it has locked since a right one. */
const pinTries = z.object({ wrong: z.number(), locks: z.number(), lock: span.nullable() });
export type PinTries = z.infer<typeof pinTries>;
export const untried: PinTries = { wrong: 0, locks: 0, lock: null };
/** In milliseconds: how long another process may take to look at a PIN. */
const pinPatience = 30_000;

const unknownSince = z.object({ device: uuid, span });
type UnknownSince = z.infer<typeof unknownSince>;

/** A pause of one device. `resume`: what its policy said when it began; one that says something else since has ended it. */
const pauseKept = unknownSince.extend({ resume: uuid.nullable().default(null) });
export type StoredPause = z.infer<typeof pauseKept>;

const formerPin = z.object({ pin: pinHash, span });
/** Of the account that this computer was removed from. */
type FormerPin = z.infer<typeof formerPin>;

/** `issued`: of the policy that said for how long. */
const allowed = z.object({ key: z.string(), issued: z.string(), span });
export type TimedAllowance = z.infer<typeof allowed>;
/**
 * That this computer became `device`: until `span` is over that can be undone. `strict`: nothing weaker than strict is in force meanwhile. `before`: which
 * device it was; null when it belonged to no account.
 */
const change = z.object({
  device: uuid,
  strict: z.boolean(),
  span,
  before: z.object({ identity, policy: signedDocument.nullable() }).nullable(),
});
export type Change = z.infer<typeof change>;

/** An administrator wants this device to leave its account. `news`: by which the holder hears of it. `span`: begins once the server has that. */
const notice = z.object({ device: uuid, news: uuid, span: span.nullable() });
export type Notice = z.infer<typeof notice>;

/** What an account is still to hear of a device that this computer is no more. `refused`: until when the server may go on refusing it; it has begun to. */
const farewell = z.object({ identity, news, refused: span.optional() });
export type Farewell = z.infer<typeof farewell>;

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
  const pinFolder = await privateFolder(join(folder, 'pin-turn'));
  for (const place of [folder, queueFolder, newsFolder]) await removeHalfWritten(place);
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
  const pinnedRoot = async () => (await keys())?.keys.definitions ?? null;
  const feed = feedFiles(join(folder, 'definitions'), pinnedRoot);
  const lists = keyFiles({ files, path: file('keys'), pinnedRoot, ofFeed: feed.lists });
  const policy = async (): Promise<DevicePolicy | null> => {
    const [document, pinned] = [await files.read(file('policy'), signedDocument), await keys()];
    if (!document || !pinned) return null;
    // Verified anew each time: what was changed on the disk is not believed. It was taken when its key was good, so it stays in force under a newer one.
    const ever = ((await lists.chain())?.lists ?? []).flatMap((list) => list.policy.map(({ public_key }) => public_key));
    return [pinned.keys.policy, ...ever].reduce<DevicePolicy | null>(
      (found, key) => found ?? openDocument(document, key, devicePolicy),
      null,
    );
  };

  return {
    keys,
    pinKeys: (value: ServerKeys) => write('server', value),

    identity: () => files.read(file('identity'), identity),
    /** A new device starts with a policy of its own, whose versions begin anew, and with nothing to report of what this computer was before. */
    setIdentity: async (value: Identity) => {
      await files.remove(file('policy'));
      await queue.forgetQueue();
      for (const place of [begun, newsFolder]) for (const path of await jsonFilesIn(place)) await files.remove(path);
      for (const name of ['pause', 'former-pin', 'unknown-since', 'allowed-for']) await files.remove(file(name));
      // There from the first: one that is gone later was taken away.
      await write('pin-tries', untried);
      await write('identity', { ...value, counts_tries: true });
      await files.remove(file('enrolling'));
    },
    /** For a computer that was linked by an agent that began to count with the first try: from now on a count that is not there was taken away. */
    countTries: async (): Promise<void> => {
      const kept = await files.read(file('identity'), keptIdentity);
      if (!kept || kept.counts_tries) return;
      if (!(await files.read(file('pin-tries'), pinTries))) await write('pin-tries', untried);
      await write('identity', { ...kept, counts_tries: true });
    },
    changes: async (): Promise<Change[]> => (await files.read(file('changes'), z.array(change))) ?? [],
    setChanges: (all: Change[]) => (all.length ? write('changes', all) : files.remove(file('changes'))),
    notice: () => files.read(file('notice'), notice),
    setNotice: (value: Notice | null) => (value ? write('notice', value) : files.remove(file('notice'))),
    farewells: async (): Promise<Farewell[]> => (await files.read(file('farewells'), z.array(farewell))) ?? [],
    setFarewells: (all: Farewell[]) => (all.length ? write('farewells', all) : files.remove(file('farewells'))),

    forgetIdentity: () => files.remove(file('identity')),

    /** The same where there was one already; null otherwise. */
    enrolIdOf: async (code: string): Promise<string | null> => {
      const before = await files.read(file('enrolling'), enrolling);
      return before?.code === code ? before.id : null;
    },
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

    chain: lists.chain,
    keepChain: lists.keepChain,

    policy,
    policyDocument: () => files.read(file('policy'), signedDocument),
    keepPolicy: (document: SignedDocument) => write('policy', document),

    feed,
    definitions: async (): Promise<DefinitionSet | null> => (await feed.held())?.definitions ?? null,

    nonceUsed: async (nonce: string) => ((await files.read(file('nonces'), nonces)) ?? []).includes(nonce),
    useNonce: async (nonce: string) => write('nonces', [...((await files.read(file('nonces'), nonces)) ?? []), nonce].slice(-keptNonces)),

    /** Null when it is gone, or not believed: nobody knows how often it was tried. */
    pinTries: () => files.read(file('pin-tries'), pinTries),
    setPinTries: (tries: PinTries) => write('pin-tries', tries),
    /** One after the other, in whatever process: who tries in many at once has no more tries. */
    async pinTurn<T>(work: () => Promise<T>): Promise<T> {
      const lock = await lockWithin(pinFolder, pinPatience);
      if (!lock) throw new Error('Another program looks at a PIN.');
      try {
        return await work();
      } finally {
        await lock.release();
      }
    },
    pause: () => files.read(file('pause'), pauseKept),
    setPause: (pause: StoredPause | null) => (pause ? write('pause', pause) : files.remove(file('pause'))),

    formerPin: () => files.read(file('former-pin'), formerPin),
    setFormerPin: (value: FormerPin | null) => (value ? write('former-pin', value) : files.remove(file('former-pin'))),
    /** Since when the server does not know this device. */
    unknownSince: () => files.read(file('unknown-since'), unknownSince),
    setUnknownSince: (value: UnknownSince | null) => (value ? write('unknown-since', value) : files.remove(file('unknown-since'))),
    /** What is allowed for a while, and how much of it is left. */
    timedAllowances: async () => (await files.read(file('allowed-for'), z.array(allowed))) ?? [],
    setTimedAllowances: (all: TimedAllowance[]) => write('allowed-for', all),

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
    recoverInterruptedKills: async (isRunning: (process: Ending['process']) => boolean): Promise<void> => {
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

    /**
     * As the queue of detections, but in the order in which it is told, whatever the clock says. Answers whether it is kept: so much that nobody would want to hear it
     * is not, but that this computer leaves its account always is, since its day begins when the server has that.
     */
    queueNews: async (one: News): Promise<boolean> => {
      const before = await jsonFilesIn(newsFolder);
      if (before.length >= agentLimits.news_kept && one.said.kind !== 'leaving') return false;
      const next = 1 + Number.parseInt(basename(before.at(-1) ?? '0'), 10);
      await files.write(join(newsFolder, `${String(next).padStart(12, '0')}-${one.uuid}.json`), one, 'once');
      return true;
    },
    pendingNews: () => all(newsFolder, news),
    untoldFiles: () => jsonFilesIn(newsFolder),
    untoldIn: (path: string) => files.read(path, news),
    told: async ({ uuid }: News) => {
      for (const path of await jsonFilesIn(newsFolder)) if (path.endsWith(`-${uuid}.json`)) await files.remove(path);
    },
  };
}
