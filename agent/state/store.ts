import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  type DevicePolicy,
  devicePolicy,
  type ReportedDetection,
  reportedDetection,
  type ServerKeys,
  serverKeys,
} from '@porchlight/contract/agent.ts';
import { agentEvent } from '@porchlight/contract/agent-events.ts';
import { pinHash, type SignedDocument, signedDocument, uuid } from '@porchlight/contract/shapes.ts';
import type { DefinitionSet } from '@porchlight/definitions/recognition.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { z } from 'zod';
import { span } from '../lib/span.ts';
import { browserPolicyFile } from './browser-policy-file.ts';
import { detectionQueue } from './detection-queue.ts';
import { eventQueue } from './event-queue.ts';
import { feedFiles } from './feed-files.ts';
import { jsonFilesIn, privateFolder, removeHalfWritten } from './files.ts';
import { type Identity, identity } from './identity.ts';
import { isolationFile } from './isolation-file.ts';
import { keyFiles } from './key-files.ts';
import { linkBackup } from './link-backup.ts';
import { lockWithin } from './lock.ts';
import { lockFiles, unlocked } from './lock-files.ts';
import { keyCreated, sealedFiles, stateKey } from './sealed-files.ts';
import { unlistedFiles } from './unlisted-files.ts';

export type { Identity } from './identity.ts';

const freePlan = z.object({ since: z.enum(['chosen', 'removed']) });
/** Why an unlinked computer has the free plan: it was chosen, or the device was removed (P3.6). */
export type FreePlan = z.infer<typeof freePlan>['since'];

/** `wrong`: consecutive wrong PINs. `locks`: the number of locks since the last right PIN. */
const pinTries = z.object({ wrong: z.number(), locks: z.number(), lock: span.nullable() });
export type PinTries = z.infer<typeof pinTries>;
export const untried: PinTries = { wrong: 0, locks: 0, lock: null };
const PIN_TIMEOUT_MS = 30_000;

const unknownSince = z.object({ device: uuid, span });
type UnknownSince = z.infer<typeof unknownSince>;

/** `resume`: the policy's resume id when the pause began; another id means that the holder ended the pause. */
/** `by_code`: made with a guardian's one-time code, not with the PIN. */
const storedPause = unknownSince.extend({ resume: uuid.nullable(), by_code: z.boolean() });
export type StoredPause = z.infer<typeof storedPause>;

/**
 * `pin`: null for a device that was removed before it had the hash. Then the server checks the PIN, and knows this `identity` as long.
 */
const formerPin = z.object({ pin: pinHash.nullable(), identity: identity.nullable(), span });
export type FormerPin = z.infer<typeof formerPin>;

const timedAllowance = z.object({ key: z.string(), issued: z.string(), span });
export type TimedAllowance = z.infer<typeof timedAllowance>;
/**
 * A change of accounts that can be undone until the end of `span`. `strict`: until then Strict is the minimum. `before`: the former device;
 * null when there was no account. `undone`: this one was itself an undo: until the end of `span` the free plan is the minimum, and it cannot
 * be undone.
 */
const change = z.object({
  device: uuid,
  strict: z.boolean(),
  undone: z.boolean(),
  span,
  before: z.object({ identity, policy: signedDocument.nullable() }).nullable(),
});
export type Change = z.infer<typeof change>;

/**
 * An administrator's notice to leave the account. `event`: the id of the report to the holder. `span`: begins when the server has that
 * report.
 */
const notice = z.object({ device: uuid, event: uuid, span: span.nullable() });
export type Notice = z.infer<typeof notice>;

/** A last report to a former account. `refused`: the time in which refusals are retried, since the first refusal. */
const farewell = z.object({ identity, event: agentEvent, refused: span.optional() });
export type Farewell = z.infer<typeof farewell>;

/** See `FirstStart`. */
const firstStart = z.object({ before: z.number().nullable() });

const failedUpdates = z.array(z.string());
const leaving = z.object({ at: z.number() });
/** Milliseconds after which a started uninstall counts as cancelled. */
const UNINSTALL_MS = 10 * 60_000;

const ending = z.object({ process: z.object({ pid: z.number(), started: z.string() }), detection: reportedDetection });
type Ending = z.infer<typeof ending>;

const nonces = z.array(z.string());
const MAX_NONCES = 500;

const enrolling = z.object({ code: z.string(), id: uuid });

export type Store = Awaited<ReturnType<typeof openStore>>;

/** The state in `folder`. The callback receives the name of each rejected file. `backupFolder`: see `linkBackup`. */
export async function openStore(folder: string, onRejected: (name: string) => void = () => {}, backupFolder: string | null = null) {
  await privateFolder(folder);
  const queueFolder = await privateFolder(join(folder, 'detections'));
  const killFolder = await privateFolder(join(folder, 'begun'));
  const eventsFolder = await privateFolder(join(folder, 'events'));
  const pinFolder = await privateFolder(join(folder, 'pin-turn'));
  for (const subfolder of [folder, queueFolder, eventsFolder]) await removeHalfWritten(subfolder);
  const created = await keyCreated(folder);
  const key = await stateKey(folder);
  const files = sealedFiles(key, onRejected);
  const removeKillRecord = ({ uuid }: ReportedDetection) => files.remove(join(killFolder, `${uuid}.json`));
  const queue = detectionQueue(queueFolder, files, { onPersisted: removeKillRecord });
  const file = (name: string) => join(folder, `${name}.json`);
  const write = (name: string, value: unknown) => files.write(file(name), value);
  const readAll = async <T>(subfolder: string, schema: z.ZodType<T>): Promise<T[]> => {
    const documents: (T | null)[] = [];
    for (const path of await jsonFilesIn(subfolder)) documents.push(await files.read(path, schema));
    return documents.filter((one) => one !== null);
  };

  const keys = () => files.read(file('server'), serverKeys);
  const backup = linkBackup(backupFolder);
  const [linkedIdentity, pinned, saved] = [await files.read(file('identity'), identity), await keys(), await backup.read()];
  if (!linkedIdentity && saved) {
    await write('server', saved.keys);
    // The counts are missing, so the PIN and the lock count as lost.
    await write('identity', saved.identity);
  }
  if (linkedIdentity && pinned && !saved) await backup.save({ identity: linkedIdentity, keys: pinned }).catch(() => {});
  const pinnedRoot = async () => (await keys())?.keys.definitions ?? null;
  const feed = feedFiles(join(folder, 'definitions'), pinnedRoot);
  const lists = keyFiles({ files, path: file('keys'), pinnedRoot });
  const policy = async (): Promise<DevicePolicy | null> => {
    const [document, pinned] = [await files.read(file('policy'), signedDocument), await keys()];
    if (!document || !pinned) return null;
    // Verified at each read, because the disk may have been changed; former keys count too, because the policy was accepted under one of
    // them.
    const ever = ((await lists.chain())?.lists ?? []).flatMap((list) => list.policy.map(({ public_key }) => public_key));
    return [pinned.keys.policy, ...ever].reduce<DevicePolicy | null>(
      (openedPolicy, key) => openedPolicy ?? openDocument(document, key, devicePolicy),
      null,
    );
  };

  return {
    /** When this state was created before, in milliseconds since 1970; null when it is new. */
    created,
    firstStart: () => files.read(file('first-start'), firstStart),
    setFirstStart: (value: z.infer<typeof firstStart>) => write('first-start', value),

    keys,
    pinKeys: (value: ServerKeys) => write('server', value),

    identity: () => files.read(file('identity'), identity),
    /** Files of the former device are removed: a new device has its own policy and reports. */
    setIdentity: async (value: Identity) => {
      await files.remove(file('policy'));
      await queue.forgetQueue();
      for (const subfolder of [killFolder, eventsFolder]) for (const path of await jsonFilesIn(subfolder)) await files.remove(path);
      const ofDevice = ['pause', 'former-pin', 'unknown-since', 'allowed-for', 'code-secret', 'codes-used', 'allowed-by-code', 'isolation'];
      for (const name of ofDevice) await files.remove(file(name));
      // Created now, so that a missing file means that it was deleted.
      await write('pin-tries', untried);
      await write('lock', { ...unlocked, device: value.device.uuid });
      await write('identity', value);
      await files.remove(file('enrolling'));
      const pinnedKeys = await keys();
      if (pinnedKeys) await backup.save({ identity: value, keys: pinnedKeys }).catch(() => {});
    },
    ...lockFiles({ files, file, key, isLinked: async () => (await files.read(file('identity'), identity)) !== null }),
    changes: async (): Promise<Change[]> => (await files.read(file('changes'), z.array(change))) ?? [],
    setChanges: (changes: Change[]) => (changes.length ? write('changes', changes) : files.remove(file('changes'))),
    notice: () => files.read(file('notice'), notice),
    setNotice: (value: Notice | null) => (value ? write('notice', value) : files.remove(file('notice'))),
    farewells: async (): Promise<Farewell[]> => (await files.read(file('farewells'), z.array(farewell))) ?? [],
    setFarewells: (farewells: Farewell[]) => (farewells.length ? write('farewells', farewells) : files.remove(file('farewells'))),

    async forgetIdentity(): Promise<void> {
      await files.remove(file('identity'));
      await backup.remove();
    },
    forgetBackup: backup.remove,

    enrolIdOf: async (code: string): Promise<string | null> => {
      const storedAttempt = await files.read(file('enrolling'), enrolling);
      return storedAttempt?.code === code ? storedAttempt.id : null;
    },
    /** The id of the attempt to use this code; the same after a lost answer or a restart. */
    enrolId: async (code: string): Promise<string> => {
      const storedAttempt = await files.read(file('enrolling'), enrolling);
      if (storedAttempt?.code === code) return storedAttempt.id;
      const id = randomUUID();
      await write('enrolling', { code, id });
      return id;
    },

    freePlan: async (): Promise<FreePlan | null> => (await files.read(file('free-plan'), freePlan))?.since ?? null,
    setFreePlan: (since: FreePlan) => write('free-plan', { since }),

    chain: lists.chain,
    saveChain: lists.saveChain,

    policy,
    policyDocument: () => files.read(file('policy'), signedDocument),
    savePolicy: (document: SignedDocument) => write('policy', document),

    feed,
    definitions: async (): Promise<DefinitionSet | null> => (await feed.load())?.definitions ?? null,
    nonceUsed: async (nonce: string) => ((await files.read(file('nonces'), nonces)) ?? []).includes(nonce),
    useNonce: async (nonce: string) => write('nonces', [...((await files.read(file('nonces'), nonces)) ?? []), nonce].slice(-MAX_NONCES)),

    /** Null when the file is missing or rejected, so that the number of attempts is unknown. */
    pinTries: () => files.read(file('pin-tries'), pinTries),
    setPinTries: (tries: PinTries) => write('pin-tries', tries),
    /** Runs one PIN check at a time across all processes, so that parallel attempts gain nothing. */
    async withPinLock<T>(work: () => Promise<T>): Promise<T> {
      const lock = await lockWithin(pinFolder, PIN_TIMEOUT_MS);
      if (!lock) throw new Error('Another program looks at a PIN.');
      try {
        return await work();
      } finally {
        await lock.release();
      }
    },
    pause: () => files.read(file('pause'), storedPause),
    setPause: (pause: StoredPause | null) => (pause ? write('pause', pause) : files.remove(file('pause'))),

    formerPin: () => files.read(file('former-pin'), formerPin),
    setFormerPin: (value: FormerPin | null) => (value ? write('former-pin', value) : files.remove(file('former-pin'))),
    unknownSince: () => files.read(file('unknown-since'), unknownSince),
    setUnknownSince: (value: UnknownSince | null) => (value ? write('unknown-since', value) : files.remove(file('unknown-since'))),
    timedAllowances: async () => (await files.read(file('allowed-for'), z.array(timedAllowance))) ?? [],
    setTimedAllowances: (allowances: TimedAllowance[]) => write('allowed-for', allowances),

    failedUpdates: async () => (await files.read(file('failed-updates'), failedUpdates)) ?? [],
    noteFailedUpdate: async (version: string) =>
      write('failed-updates', [...((await files.read(file('failed-updates'), failedUpdates)) ?? []), version].slice(-20)),
    isUninstalling: async (now: number) =>
      Math.abs(now - ((await files.read(file('leaving'), leaving))?.at ?? Number.NEGATIVE_INFINITY)) < UNINSTALL_MS,
    beginUninstall: (now: number) => write('leaving', { at: now }),
    cancelUninstall: () => files.remove(file('leaving')),

    browserPolicies: browserPolicyFile(files, file('browsers')),
    isolation: isolationFile(files, file('isolation')),
    ...unlistedFiles(files, file),

    ...queue,
    /** Does anything wait that the server does not know, or is a program being ended right now? */
    hasUnreported: async (): Promise<boolean> => (await queue.queuedFiles()).length + (await jsonFilesIn(killFolder)).length > 0,
    /** Whether the end of a remote-control program that a person started waits to be reported. */
    hasUnreportedEnd: async (): Promise<boolean> => {
      const isEnd = (one: ReportedDetection | null) => one?.category === 'RemoteControl' && one.blocked && one.start === 'person';
      for (const path of await queue.queuedFiles()) if (isEnd(await queue.queuedIn(path))) return true;
      return (await readAll(killFolder, ending)).some(({ detection }) => isEnd(detection));
    },
    async queued(): Promise<ReportedDetection[]> {
      const detections: (ReportedDetection | null)[] = [];
      for (const path of await queue.queuedFiles()) detections.push(await queue.queuedIn(path));
      return detections.filter((one) => one !== null);
    },

    /**
     * Records a program that is about to be ended. Synchronous, so that the record survives a kill of the agent, though not a power cut.
     */
    recordKill: ({ pid, started }: Ending['process'], detection: ReportedDetection) =>
      files.writeNow(join(killFolder, `${detection.uuid}.json`), { process: { pid, started }, detection }),
    finish: removeKillRecord,
    /**
     * Queues detections of programs that were being ended when the agent was killed, unless they still run. Throws the last error after
     * trying all.
     */
    recoverInterruptedKills: async (isRunning: (process: Ending['process']) => boolean): Promise<void> => {
      let failed: unknown;
      for (const { process, detection } of await readAll(killFolder, ending)) {
        try {
          if (!isRunning(process)) await queue.queue(detection);
          await removeKillRecord(detection);
        } catch (err) {
          failed = err;
        }
      }
      if (failed !== undefined) throw failed;
    },

    ...eventQueue(eventsFolder, files),
  };
}
