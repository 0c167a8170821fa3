import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';

/** In milliseconds: how long a stopped program can be allowed by a code. */
const stopped_within = 7 * 24 * 3_600_000;
/** Of a device. */
const programs_max = 20;

export interface StoppedProgram {
  identifier: string;
  name: string;
}

export interface StoppedProgramDeps extends Pick<Kernel, 'db' | 'clock'> {
  /** Whether programs of a definition can be allowed. */
  allowable(): Promise<(identifier: string) => boolean>;
}

/** What was stopped at a device within 7 days and a code can allow, the newest first, each program once (P10.7). */
export function stoppedPrograms({ db, clock, allowable }: StoppedProgramDeps) {
  return async (device: string): Promise<StoppedProgram[]> => {
    const since = after(clock.now(), -stopped_within - serverLimits.alert_grouping);
    const { rows } = await sql<StoppedProgram & { time: Date }>`
      select distinct on (alert.identifier) alert.identifier, alert.name, alert.time
      from detections alert
      where alert.device = ${device} and alert.counted_into is null and alert.time > ${since}
        -- The details of a site are its name.
        and alert.category in ('RemoteControl', 'DeceptiveUtility') and alert.details <> alert.name
        -- A stop may be counted into an alert about a program that was not stopped yet.
        and (alert.blocked or exists (
          select from detections repeat
          where repeat.device = alert.device and repeat.counted_into = alert.uuid and repeat.blocked))
      order by alert.identifier, alert.time desc`.execute(db);
    const isAllowable = await allowable();
    return rows
      .filter(({ identifier }) => isAllowable(identifier))
      .toSorted((a, b) => b.time.getTime() - a.time.getTime())
      .slice(0, programs_max)
      .map(({ identifier, name }) => ({ identifier, name }));
  };
}
