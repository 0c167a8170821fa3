import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { codeOf } from '../lib/in-folder.ts';
import { type FailureReason, NotDone } from '../lib/not-done.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { FoundListing, Os, ServiceAt, StampedFile } from '../os/port.ts';
import { jsonFilesIn, privateFolder, readWhole, removeFile, writeWhole } from '../state/files.ts';
import { type DefinitionRef, type QuarantineEntry, quarantineEntry } from './entry.ts';
import { copyOf, forgetCopy } from './quarantined-file.ts';
import { findLine } from './quarantined-line.ts';
import { carryOut, remove, restoreEntry } from './steps.ts';

const systemPaths = [
  /^\/(bin|boot|dev(?!\/shm\/)|etc|lib|lib32|lib64|libx32|proc|run|sbin|sys|System)(\/|$)/,
  /^\/usr(\/(?!local\/)|$)/,
  /^\/var\/(lib|db)\//,
  /^\/(private\/(etc|var\/db)|Library\/Apple)(\/|$)/,
  /^(\\\\\?\\)?[a-z]:\\(windows|boot|recovery|\$)/i,
  /^(\\\\\?\\)?[a-z]:\\program files( \(x86\))?\\(windows |common files\\(microsoft|system))/i,
];
/** Start-up files in system folders, the only files there that may be removed. */
const startUp = [/^\/etc\/xdg\/autostart\/[^/]+\.desktop$/, /^\/Library\/Launch(Daemons|Agents)\/[^/]+\.plist$/];
const startUpLines = [/^\/etc\/crontab$/, /^\/etc\/cron\.d\/[^/]+$/];

/** Whether a path must never be changed, whatever the definitions say; true also for relative paths and `..`. */
function isUntouchable(path: string, as: 'file' | 'start_up' | 'line' = 'file'): boolean {
  if (!/^(\/|[a-z]:\\|\\\\\?\\)/i.test(path) || path.split(/[/\\]/).includes('..')) return true;
  if (as === 'start_up' && startUp.some((pattern) => pattern.test(path))) return false;
  if (as === 'line' && startUpLines.some((pattern) => pattern.test(path))) return false;
  return systemPaths.some((pattern) => pattern.test(path));
}

export type Outcome = { done: true; uuid: string } | { done: false; why: FailureReason };

export interface Quarantine {
  takeFile(
    file: Partial<StampedFile> & { path: string; sha256?: string },
    whose: DefinitionRef,
    as?: 'file' | 'start_up',
  ): Promise<Outcome>;
  takeStartUp(entry: FoundListing['start_up'][number], whose: DefinitionRef): Promise<Outcome>;
  /** Stops and disables a service. The outcome is `gone` when the service is disabled already. */
  stopService(service: ServiceAt, whose: DefinitionRef): Promise<Outcome>;
  quarantined(): Promise<QuarantineEntry[]>;
  undo(uuid: string): Promise<Outcome>;
  /** Deletes files after 30 days in quarantine. Must be called regularly: only running time counts, because the clock can be set. */
  deleteOld(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Each step is recorded before it happens, so that the next start finishes it after a crash; steps run one at a time. Opening does not wait
 * for unfinished steps, because a file's owner may delay them; `failed` receives their errors.
 */
export async function openQuarantine(
  folder: string,
  os: Os,
  readClock: () => ClockReading,
  failed: (err: unknown) => void = () => {},
): Promise<Quarantine> {
  await privateFolder(folder);
  const fileOf = (uuid: string) => join(folder, `${uuid}.json`);
  const write = (entry: QuarantineEntry) => writeWhole(fileOf(entry.uuid), JSON.stringify(entry));
  const read = async () =>
    (await Promise.all((await jsonFilesIn(folder)).map((path) => readWhole(path, quarantineEntry)))).filter((one) => one !== null);

  let closed = false;
  let lastTurn: Promise<unknown> = Promise.resolve();
  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.then(work, work);
    lastTurn = turn.catch(() => {});
    return turn;
  };
  const outcome = (work: () => Promise<QuarantineEntry | null>): Promise<Outcome> =>
    oneAtATime(async () => {
      try {
        const entry = await work();
        return entry ? { done: true, uuid: entry.uuid } : { done: false, why: 'gone' };
      } catch (err) {
        return { done: false, why: failureReason(err) };
      }
    });

  /** `again`: continues after a crash. Null when nothing had been removed yet. */
  const take = async (entry: QuarantineEntry, again = false): Promise<QuarantineEntry | null> => {
    if (!again) await write(entry);
    try {
      const takenEntry = await carryOut(folder, os, entry, again);
      if (takenEntry) await write({ ...takenEntry, state: 'held' });
      else await removeFile(fileOf(entry.uuid));
      return takenEntry;
    } catch (err) {
      // After an error other than `NotDone` the file's location is unknown, so its entry stays for the next start.
      if (entry.kind !== 'file' || err instanceof NotDone) await removeFile(fileOf(entry.uuid));
      throw err;
    }
  };
  const restore = async (entry: QuarantineEntry): Promise<QuarantineEntry> => {
    await write({ ...entry, state: 'undoing' });
    try {
      await restoreEntry(folder, os, entry);
    } catch (err) {
      await write({ ...entry, state: 'held' });
      throw err;
    }
    await removeFile(fileOf(entry.uuid));
    return entry;
  };
  const newEntry = (whose: DefinitionRef) => {
    const { identifier, name, category, certainty } = whose;
    return {
      uuid: randomUUID(),
      state: 'taking' as const,
      taken: new Date(readClock().wall).toISOString(),
      identifier,
      name,
      category,
      certainty,
    };
  };
  const takeFile: Quarantine['takeFile'] = (file, whose, as = 'file') =>
    outcome(async () => {
      if (isUntouchable(file.path, as)) throw new NotDone('protected');
      const entry = newEntry(whose);
      const copied = await copyOf(folder, os, entry.uuid, file.path);
      const isUnchanged = (file.stamp ?? copied.stamp) === copied.stamp && (file.sha256 ?? copied.sha256) === copied.sha256;
      if (isUnchanged) return take({ ...entry, ...copied, keep: beginSpan(readClock(), agentLimits.quarantine) });
      await forgetCopy(folder, entry);
      throw new NotDone('changed');
    });

  const finish = async () => {
    for (const entry of await read()) {
      if (closed) return;
      if (entry.state === 'taking') await take(entry, true).catch(() => {});
      if (entry.state === 'undoing') await restore(entry).catch(() => {});
    }
    for (const name of await readdir(folder)) {
      if (/\.(part|tmp)$/.test(name)) await rm(join(folder, name), { force: true });
    }
  };
  void oneAtATime(finish).catch(failed);

  return {
    takeFile,
    takeStartUp: async ({ place }, whose) => {
      if ('key' in place) {
        return outcome(async () => {
          const content = await os.startUpValue(place);
          if (content === null) throw new NotDone('gone');
          return take({ ...newEntry(whose), kind: 'value', key: place.key, value: place.value, content });
        });
      }
      if (!('line' in place)) return takeFile({ path: place.file }, whose, 'start_up');
      return outcome(async () => {
        if (isUntouchable(place.file, 'line')) throw new NotDone('protected');
        const at = await findLine(place.file, place.line);
        if (at === null) throw new NotDone('gone');
        return take({ ...newEntry(whose), kind: 'line', path: place.file, line: place.line, at });
      });
    },
    stopService: ({ name, user }, whose) =>
      outcome(async () => {
        const before = await os.serviceState({ name, ...(user === undefined ? {} : { user }) });
        if (!before || !(before.running || before.enabled)) throw new NotDone('gone');
        return take({ ...newEntry(whose), kind: 'service', service: name, ...(user === undefined ? {} : { user }), before });
      }),
    quarantined: () =>
      oneAtATime(async () => (await read()).filter(({ state }) => state === 'held').toSorted((a, b) => b.taken.localeCompare(a.taken))),
    undo: (uuid) =>
      outcome(async () => {
        const entry = (await read()).find((one) => one.uuid === uuid && one.state === 'held');
        if (!entry) throw new NotDone('gone');
        return restore(entry);
      }),
    async close() {
      closed = true;
      await lastTurn;
    },
    deleteOld: () =>
      oneAtATime(async () => {
        for (const entry of await read()) {
          if (entry.kind !== 'file') continue;
          const reading = readClock();
          const { keep = beginSpan(reading, agentLimits.quarantine) } = entry;
          if (leftOf(keep, reading, 'latest') > 0) {
            await write({ ...entry, keep: seenSpan(keep, reading, 'latest') }).catch(() => {});
            continue;
          }
          await remove(folder, entry);
          await removeFile(fileOf(entry.uuid));
        }
      }),
  };
}

function failureReason(err: unknown): FailureReason {
  if (err instanceof NotDone) return err.why;
  if (['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ENOSPC', 'ETXTBSY'].includes(codeOf(err) ?? '')) return 'refused';
  throw err;
}
