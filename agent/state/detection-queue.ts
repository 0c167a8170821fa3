import { join } from 'node:path';
import { type ReportedDetection, reportedDetection } from '@porchlight/contract/agent.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { jsonFilesIn } from './files.ts';
import type { SealedFiles } from './sealed.ts';

/**
 * What waits for the server in `folder`, a file for each detection. The name sorts by time, so that the oldest is sent first. `most`: beyond so many a
 * repeat of which nobody would hear is not kept.
 */
export function detectionQueue(folder: string, files: SealedFiles, most: number = agentLimits.detections_kept) {
  /** When the alert of each definition was opened into which the server counts what follows. */
  const opened = new Map<string, number>();
  const opens = ({ identifier, time }: ReportedDetection) =>
    !(Math.abs(Date.parse(time) - (opened.get(identifier) ?? Number.NEGATIVE_INFINITY)) < serverLimits.alert_grouping);
  const note = ({ identifier, time }: ReportedDetection) => {
    if (opened.size >= most) opened.clear();
    opened.set(identifier, Date.parse(time));
  };

  return {
    /** On disk when this resolves (P4.5), or counted by what is. */
    async queue(detection: ReportedDetection): Promise<void> {
      const first = opens(detection);
      if (!first && detection.blocked && (await jsonFilesIn(folder)).length >= most) return;
      await files.write(join(folder, nameOf(detection)), detection, 'once');
      if (first) note(detection);
    },
    /** Where each lies, oldest first. */
    queuedFiles: () => jsonFilesIn(folder),
    /** Null where nothing lies that can be believed. */
    queuedIn: (path: string) => files.read(path, reportedDetection),
    acknowledged: (detection: ReportedDetection) => files.remove(join(folder, nameOf(detection)), 'once'),
    async forgetQueue(): Promise<void> {
      opened.clear();
      for (const path of await jsonFilesIn(folder)) await files.remove(path, 'once');
    },
  };
}

function nameOf({ time, uuid }: ReportedDetection): string {
  return `${new Date(time).getTime()}-${uuid}.json`;
}
