import { createHash } from 'node:crypto';
import type { ProgramOrigin } from '../os/origin.ts';
import type { ProcessSeen } from '../os/port.ts';
import type { StartFinding } from './detectors/detector.ts';
import { detectNewPrograms } from './detectors/new-programs.ts';

export interface ProgramLaunchesDeps {
  origin: Pick<ProgramOrigin, 'of' | 'ofFile'>;
  file: { load(): Promise<string[]>; save(identifiers: string[]): Promise<unknown> };
  failed: (err: unknown) => void;
}

export interface ProgramLaunches {
  /** The starts of programs from the internet that never ran here before (P12.3). */
  newOf(processes: ProcessSeen[]): StartFinding[];
  fileOf: ProgramOrigin['ofFile'];
  /** From now on the program is known. Whether it was not yet. */
  noteRun(identifier: string): boolean;
  /** After a no the program is as new as it was before the yes. */
  forget(identifiers: string[]): void;
  /** Resolves when all that is known is stored. */
  saved(): Promise<unknown>;
}

/** The server and the guardians get this identifier, so it is a hash, which names no file. */
const identifierOf = (id: string) => `program-${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;

export async function programLaunches({ origin, file, failed }: ProgramLaunchesDeps): Promise<ProgramLaunches> {
  const known = new Set(await file.load());
  let saving: Promise<unknown> = Promise.resolve();
  const save = () => {
    saving = saving.then(() => file.save([...known])).catch(failed);
  };
  return {
    newOf(processes) {
      const seen = processes.map((process) => {
        const launched = origin.of(process);
        const first_seen = launched !== null && !known.has(identifierOf(launched.id));
        return { process, origin: launched, first_seen };
      });
      return detectNewPrograms(seen).map(({ process, file: path, id, host, name }): StartFinding => {
        const match = { identifier: identifierOf(id), name, category: 'NewProgram', certainty: 'certain' } as const;
        return {
          kind: 'start',
          match: { ...match, why: [`origin=${host ?? 'internet'}`] },
          process,
          roots: [{ pid: process.pid, started: process.started }],
          details: host === null ? path : `${path} (${host})`,
        };
      });
    },
    fileOf: origin.ofFile,
    noteRun(identifier) {
      if (known.has(identifier)) return false;
      known.add(identifier);
      save();
      return true;
    },
    forget(identifiers) {
      if (identifiers.filter((one) => known.delete(one)).length) save();
    },
    saved: () => saving,
  };
}
