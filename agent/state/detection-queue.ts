import { join } from 'node:path';
import { type ReportedDetection, reportedDetection } from '@porchlight/contract/agent.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { jsonFilesIn } from './files.ts';
import type { SealedFiles } from './sealed-files.ts';

/** The limit of detections cached in memory while the disk cannot be written; beyond the limit the oldest are dropped. */
const MAX_UNWRITTEN = 500;

export interface DetectionQueueDeps {
  /** Called when a formerly unwritten detection was persisted or acknowledged. */
  onPersisted?: (detection: ReportedDetection) => Promise<void>;
  max?: number;
}

/** Detections that wait for the server, one file each. The file names sort by time. */
export function detectionQueue(
  folder: string,
  files: SealedFiles,
  { onPersisted = async () => {}, max = agentLimits.detections_stored_max }: DetectionQueueDeps = {},
) {
  const unwritten = new Map<string, ReportedDetection>();
  const pathOf = ({ time, uuid }: ReportedDetection) => join(folder, `${new Date(time).getTime()}-${uuid}.json`);
  const write = async (detection: ReportedDetection): Promise<void> => {
    try {
      await files.write(pathOf(detection), detection, 'once');
    } catch (err) {
      unwritten.set(pathOf(detection), detection);
      const [oldest] = unwritten.keys();
      if (unwritten.size > MAX_UNWRITTEN && oldest) unwritten.delete(oldest);
      throw err;
    }
  };
  /** A failed write changes nothing: the server may have acknowledged the detection meanwhile, which then no longer waits. */
  const writeAgain = async (): Promise<void> => {
    for (const [path, detection] of unwritten) {
      await files.write(path, detection, 'once');
      unwritten.delete(path);
      await onPersisted(detection);
    }
  };
  /** For each definition the time of the detection that opened its alert; the server adds later detections to that alert. */
  const opened = new Map<string, number>();
  const opensAlert = ({ identifier, time }: ReportedDetection) =>
    !(Math.abs(Date.parse(time) - (opened.get(identifier) ?? Number.NEGATIVE_INFINITY)) < serverLimits.alert_grouping);
  const note = ({ identifier, time }: ReportedDetection) => {
    if (opened.size >= max) opened.clear();
    opened.set(identifier, Date.parse(time));
  };

  return {
    /** Resolves when the detection is persisted (P4.5), or dropped as a repeat. When it throws, the detection is queued in memory. */
    async queue(detection: ReportedDetection): Promise<void> {
      const opensNewAlert = opensAlert(detection);
      if (!opensNewAlert && detection.blocked && (await jsonFilesIn(folder)).length >= max) return;
      if (opensNewAlert) note(detection);
      await write(detection);
    },
    /** Returns the paths of all queued detections, oldest first, after retrying unwritten detections. */
    async queuedFiles(): Promise<string[]> {
      await writeAgain().catch(() => {});
      return [...new Set([...(await jsonFilesIn(folder)), ...unwritten.keys()])];
    },
    queuedIn: async (path: string): Promise<ReportedDetection | null> => unwritten.get(path) ?? files.read(path, reportedDetection),
    async acknowledged(detection: ReportedDetection): Promise<void> {
      if (unwritten.delete(pathOf(detection))) await onPersisted(detection);
      await files.remove(pathOf(detection), 'once');
    },
    async forgetQueue(): Promise<void> {
      opened.clear();
      unwritten.clear();
      for (const path of await jsonFilesIn(folder)) await files.remove(path, 'once');
    },
  };
}
