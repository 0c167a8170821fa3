import { join } from 'node:path';
import { type ReportedDetection, reportedDetection } from '@porchlight/contract/agent.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { jsonFilesIn } from './files.ts';
import type { SealedFiles } from './sealed.ts';

/** So many are kept in memory where the disk takes none; of more the oldest are given up. */
const unwrittenMost = 500;

export interface DetectionQueueDeps {
  /** The disk has one, or the server, that the disk did not take before. */
  kept?: (detection: ReportedDetection) => Promise<void>;
  /** Beyond so many a repeat of which nobody would hear is not kept. */
  max?: number;
}

/** What waits for the server in `folder`, a file for each detection. The name sorts by time, so that the oldest is sent first. */
export function detectionQueue(
  folder: string,
  files: SealedFiles,
  { kept = async () => {}, max = agentLimits.detections_kept }: DetectionQueueDeps = {},
) {
  /** What the disk did not take, by where it is to lie, until it does or the server has it. */
  const unwritten = new Map<string, ReportedDetection>();
  const pathOf = ({ time, uuid }: ReportedDetection) => join(folder, `${new Date(time).getTime()}-${uuid}.json`);
  const write = async (detection: ReportedDetection): Promise<void> => {
    try {
      await files.write(pathOf(detection), detection, 'once');
    } catch (err) {
      unwritten.set(pathOf(detection), detection);
      const [oldest] = unwritten.keys();
      if (unwritten.size > unwrittenMost && oldest) unwritten.delete(oldest);
      throw err;
    }
  };
  const writeAgain = async (): Promise<void> => {
    for (const [path, detection] of unwritten) {
      await write(detection);
      unwritten.delete(path);
      await kept(detection);
    }
  };
  /** When the alert of each definition was opened into which the server counts what follows. */
  const opened = new Map<string, number>();
  const opens = ({ identifier, time }: ReportedDetection) =>
    !(Math.abs(Date.parse(time) - (opened.get(identifier) ?? Number.NEGATIVE_INFINITY)) < serverLimits.alert_grouping);
  const note = ({ identifier, time }: ReportedDetection) => {
    if (opened.size >= max) opened.clear();
    opened.set(identifier, Date.parse(time));
  };

  return {
    /** On disk when this resolves (P4.5), or counted by what is. Throws when the disk does not take it: it is queued all the same. */
    async queue(detection: ReportedDetection): Promise<void> {
      const first = opens(detection);
      if (!first && detection.blocked && (await jsonFilesIn(folder)).length >= max) return;
      if (first) note(detection);
      await write(detection);
    },
    /** Where each lies, oldest first. What the disk did not take before is written down now, if it does. */
    async queuedFiles(): Promise<string[]> {
      await writeAgain().catch(() => {});
      return [...new Set([...(await jsonFilesIn(folder)), ...unwritten.keys()])];
    },
    /** Null where nothing lies that can be believed. */
    queuedIn: async (path: string): Promise<ReportedDetection | null> => unwritten.get(path) ?? files.read(path, reportedDetection),
    async acknowledged(detection: ReportedDetection): Promise<void> {
      if (unwritten.delete(pathOf(detection))) await kept(detection);
      await files.remove(pathOf(detection), 'once');
    },
    async forgetQueue(): Promise<void> {
      opened.clear();
      unwritten.clear();
      for (const path of await jsonFilesIn(folder)) await files.remove(path, 'once');
    },
  };
}
