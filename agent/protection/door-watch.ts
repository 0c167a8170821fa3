import { isDeepStrictEqual } from 'node:util';
import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import type { DoorState, SystemDoors } from '../os/doors.ts';
import type { StoredDoors } from '../state/doors-file.ts';
import type { Act } from './act.ts';
import { decideDoor } from './decide.ts';
import { type DoorFinding, detectDoors } from './detectors/doors.ts';

/** An update replaces our files, and its successor takes over within this time, which knows that the change was ours. */
const OWN_FILES_MS = 2 * 60_000;

export interface DoorWatchDeps<Whose> {
  doors: Pick<SystemDoors, 'read' | 'watch'>;
  act: Act;
  reporter: { report(finding: DoorFinding, closed: boolean, whose: Whose): Promise<void> };
  /** Somebody else may be at the computer: ends an appointment (P15.1). */
  endAppointments: () => void;
  file: { load(): Promise<StoredDoors | null>; save(doors: StoredDoors): Promise<void> };
  /** The version of our program, and its failed updates. */
  program: () => Promise<string>;
  /** What the policy does with opened doors; null during a pause, in which nothing is read. */
  action: () => PolicyAction | null;
  identity: () => Whose;
  /** During an uninstall our own changes are none of a stranger. */
  isUninstalling: () => Promise<boolean>;
  /** Milliseconds of running time. */
  up: () => number;
  failed: (err: unknown) => void;
}

export interface DoorWatchControl {
  /** Call with each new policy. */
  review(): void;
  close(): Promise<void>;
}

/** observe → detect → decide → act → report, for the doors of the system (P12.5). One reading at a time, however often something changes. */
export function doorWatch<Whose>(deps: DoorWatchDeps<Whose>): DoorWatchControl {
  const { doors, act, reporter, file, failed } = deps;
  let [isReading, isDue, isClosed] = [false, false, false];
  let work: Promise<unknown> = Promise.resolve();
  let ownFilesChanged: number | null = null;

  const respond = async (finding: DoorFinding, action: PolicyAction, whose: Whose) => {
    const step = decideDoor(finding, action);
    if (!step) return;
    deps.endAppointments();
    const closed = await act<'close_door' | 'report_only'>(step);
    await reporter.report(finding, closed, whose);
  };

  /** Changes of our own files count only when they are still there after an update would have ended. */
  const settled = (before: DoorState, now: DoorState): DoorState => {
    if (before.own_files === null || now.own_files === null || before.own_files === now.own_files) {
      ownFilesChanged = null;
      return now;
    }
    ownFilesChanged ??= deps.up();
    return deps.up() - ownFilesChanged < OWN_FILES_MS ? { ...now, own_files: before.own_files } : now;
  };

  const read = async () => {
    const action = deps.action();
    if (action === null || (await deps.isUninstalling())) return;
    const whose = deps.identity();
    const [stored, program] = [await file.load(), await deps.program()];
    const found = await doors.read();
    const isOurs = stored !== null && stored.program !== program;
    const now = stored && !isOurs ? settled(stored.state, found) : found;
    const findings = stored ? detectDoors(stored.state, now, isOurs) : [];
    for (const finding of findings) await respond(finding, action, whose);
    // What was closed is read again, so that it is found when it is opened again.
    const after = findings.some(({ closable }) => closable) ? { ...(await doors.read()), own_files: now.own_files } : now;
    const next: StoredDoors = { program, state: after };
    // Stored after the report, so that a crash in between finds it once more instead of never.
    if (!isDeepStrictEqual(stored, next)) await file.save(next);
  };
  const changed = () => {
    isDue = true;
    if (isReading || isClosed) return;
    isReading = true;
    work = (async () => {
      while (isDue && !isClosed) {
        isDue = false;
        await read().catch(failed);
      }
      isReading = false;
    })();
  };
  const watch = doors.watch(changed);
  changed();
  return {
    review: changed,
    async close() {
      isClosed = true;
      watch.close();
      await work;
    },
  };
}
