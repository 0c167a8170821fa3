import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { codeOf } from '../lib/in-folder.ts';
import { NotDone, type WhyNot } from '../lib/not-done.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { FoundListing, Os, ServiceAt, StampedFile } from '../os/port.ts';
import { jsonFilesIn, privateFolder, readWhole, removeFile, writeWhole } from '../state/files.ts';
import { type DefinitionRef, held, type QuarantineEntry } from './entry.ts';
import { copyOf, forgetCopy } from './quarantined-file.ts';
import { findLine } from './quarantined-line.ts';
import { carryOut, putBack, remove } from './steps.ts';
import { isUntouchable } from './untouchable.ts';

export type Outcome = { done: true; uuid: string } | { done: false; why: WhyNot };

export interface Quarantine {
  /** Moves a file to where it can neither be started nor lost. Only the very file that was scanned: a changed one is left. */
  takeFile(
    file: Partial<StampedFile> & { path: string; sha256?: string },
    whose: DefinitionRef,
    as?: 'file' | 'start_up',
  ): Promise<Outcome>;
  takeStartUp(entry: FoundListing['start_up'][number], whose: DefinitionRef): Promise<Outcome>;
  /** Stops a service and keeps it from starting. One that is off already is `gone`: nothing is done. */
  stopService(service: ServiceAt, whose: DefinitionRef): Promise<Outcome>;
  /** What can be restored, newest first. */
  held(): Promise<QuarantineEntry[]>;
  /** Restores one entry, or answers why not; then it stays in quarantine. */
  undo(uuid: string): Promise<Outcome>;
  /**
   * Deletes files that were quarantined more than 30 days ago; what was only disabled stays disabled. Called regularly: only running time counts,
   * because the clock can be set.
   */
  deleteOld(): Promise<void>;
  /** Resolves when nothing is under way. Unfinished entries are left to the next start. */
  close(): Promise<void>;
}

/**
 * What is taken out of use, in `folder`, and how it comes back. What is about to happen stands on the disk before it happens, so a crash at any point loses
 * nothing: what broke off is finished first, and one thing is done at a time. Opening does not wait for that: a person whose file it is may hold it up.
 * `failed`: it could not be looked for.
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
    (await Promise.all((await jsonFilesIn(folder)).map((path) => readWhole(path, held)))).filter((one) => one !== null);

  let closed = false;
  let last: Promise<unknown> = Promise.resolve();
  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
  const outcome = (work: () => Promise<QuarantineEntry | null>): Promise<Outcome> =>
    oneAtATime(async () => {
      try {
        const entry = await work();
        return entry ? { done: true, uuid: entry.uuid } : { done: false, why: 'gone' };
      } catch (err) {
        return { done: false, why: whyNot(err) };
      }
    });

  /** `again`: continues after a crash. Null when nothing had been taken yet. */
  const take = async (entry: QuarantineEntry, again = false): Promise<QuarantineEntry | null> => {
    if (!again) await write(entry);
    try {
      const taken = await carryOut(folder, os, entry, again);
      if (taken) await write({ ...taken, state: 'held' });
      else await removeFile(fileOf(entry.uuid));
      return taken;
    } catch (err) {
      // After a failure the file's place is unknown: the next start finds out.
      if (entry.kind !== 'file' || err instanceof NotDone) await removeFile(fileOf(entry.uuid));
      throw err;
    }
  };
  const giveBack = async (entry: QuarantineEntry): Promise<QuarantineEntry> => {
    await write({ ...entry, state: 'undoing' });
    try {
      await putBack(folder, os, entry);
    } catch (err) {
      await write({ ...entry, state: 'held' });
      throw err;
    }
    await removeFile(fileOf(entry.uuid));
    return entry;
  };
  const begun = (whose: DefinitionRef) => {
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
      const entry = begun(whose);
      const seen = await copyOf(folder, os, entry.uuid, file.path);
      const same = (file.stamp ?? seen.stamp) === seen.stamp && (file.sha256 ?? seen.sha256) === seen.sha256;
      if (same) return take({ ...entry, ...seen, keep: beginSpan(readClock(), agentLimits.quarantine) });
      await forgetCopy(folder, entry);
      throw new NotDone('changed');
    });

  const finish = async () => {
    for (const entry of await read()) {
      if (closed) return;
      if (entry.state === 'taking') await take(entry, true).catch(() => {});
      if (entry.state === 'undoing') await giveBack(entry).catch(() => {});
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
          return take({ ...begun(whose), kind: 'value', key: place.key, value: place.value, content });
        });
      }
      if (!('line' in place)) return takeFile({ path: place.file }, whose, 'start_up');
      return outcome(async () => {
        if (isUntouchable(place.file, 'line')) throw new NotDone('protected');
        const at = await findLine(place.file, place.line);
        if (at === null) throw new NotDone('gone');
        return take({ ...begun(whose), kind: 'line', path: place.file, line: place.line, at });
      });
    },
    stopService: ({ name, user }, whose) =>
      outcome(async () => {
        const before = await os.serviceState({ name, ...(user === undefined ? {} : { user }) });
        if (!before || !(before.running || before.enabled)) throw new NotDone('gone');
        return take({ ...begun(whose), kind: 'service', service: name, ...(user === undefined ? {} : { user }), before });
      }),
    held: () =>
      oneAtATime(async () => (await read()).filter(({ state }) => state === 'held').toSorted((a, b) => b.taken.localeCompare(a.taken))),
    undo: (uuid) =>
      outcome(async () => {
        const entry = (await read()).find((one) => one.uuid === uuid && one.state === 'held');
        if (!entry) throw new NotDone('gone');
        return giveBack(entry);
      }),
    async close() {
      closed = true;
      await last;
    },
    deleteOld: () =>
      oneAtATime(async () => {
        for (const entry of await read()) {
          if (entry.kind !== 'file') continue;
          const at = readClock();
          const { keep = beginSpan(at, agentLimits.quarantine) } = entry;
          if (leftOf(keep, at, 'latest') > 0) {
            // An entry that cannot be updated is kept longer.
            await write({ ...entry, keep: seenSpan(keep, at, 'latest') }).catch(() => {});
            continue;
          }
          await remove(folder, entry);
          await removeFile(fileOf(entry.uuid));
        }
      }),
  };
}

function whyNot(err: unknown): WhyNot {
  if (err instanceof NotDone) return err.why;
  if (['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ENOSPC', 'ETXTBSY'].includes(codeOf(err) ?? '')) return 'refused';
  throw err;
}
