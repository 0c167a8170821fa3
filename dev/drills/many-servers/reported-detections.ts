import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@porchlight/server/db/open.ts';
import type { MailboxMail } from '@porchlight/simulators/mailbox/mailbox.ts';
import { until } from '../../until.ts';
import { helperIn, helperName, newDetection } from '../reported-alerts.ts';
import type { PlayedAgent } from './played-agents.ts';

/** A job of a killed server runs again after its lease of half a minute. */
const mailsWithin = 90_000;

/** These agents report in turns, one each `pauseMs`. */
export function reportedDetections(agents: PlayedAgent[], pauseMs: number) {
  /** By the id of the detection, the time when the agent made it, of `performance.now()`. */
  const reported = new Map<string, number>();
  const stopping = new AbortController();
  const acknowledgedAt = (uuid: string) => agents.map(({ acknowledged }) => acknowledged.get(uuid)).find((at) => at !== undefined);
  const loop = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const detection = newDetection();
      reported.set(detection.uuid, performance.now());
      await agents[turn % agents.length]?.report(detection);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    reported,
    areAcknowledged: () => [...reported.keys()].every((uuid) => acknowledgedAt(uuid) !== undefined),
    /** Milliseconds from the detection until a server acknowledged it, of those made in this time. */
    latencies: (from = 0, to = Number.POSITIVE_INFINITY) =>
      [...reported].flatMap(([uuid, at]) => (at >= from && at < to ? [(acknowledgedAt(uuid) ?? Number.POSITIVE_INFINITY) - at] : [])),
    async stop() {
      stopping.abort();
      await loop;
    },
    /** Waits for the mails, and compares them and the stored detections with what was reported. `others`: detections besides these. */
    async compare(db: Db, mailbox: () => Promise<MailboxMail[]>, recipients: string[], others = 0) {
      const rows = await db.selectFrom('detections').select(['uuid', 'counted_into']).execute();
      const alerts = rows.filter(({ uuid, counted_into }) => counted_into === null && reported.has(uuid));
      const stored = new Set(rows.map(({ uuid }) => uuid));
      const lost = [...reported.keys()].filter((uuid) => !stored.has(uuid)).length;
      const idsByMail = async () => {
        const ids = new Map(alerts.flatMap(({ uuid }) => recipients.map((to) => [`${helperName(uuid)} ${to}`, [] as string[]] as const)));
        for (const { subject, to, message_id } of await mailbox()) ids.get(`${helperIn(subject)} ${to[0]}`)?.push(message_id);
        return [...ids.values()];
      };
      await until('the mails', async () => (await idsByMail()).every((ids) => ids.length > 0), mailsWithin, 500).catch(() => {});
      const all = await idsByMail();
      const unacknowledged = [...reported.keys()].filter((uuid) => acknowledgedAt(uuid) === undefined).length;
      return {
        mails: all.flat().length,
        copies: all.reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0),
        wrong: [
          ...(unacknowledged ? [`${unacknowledged} detections were never acknowledged`] : []),
          ...(lost ? [`${lost} detections are not in the history`] : []),
          ...(rows.length > reported.size + others
            ? [`${reported.size + others} detections were reported and the history has ${rows.length}`]
            : []),
          ...all.flatMap((ids) => (new Set(ids).size === 1 ? [] : [`an alert has ${new Set(ids).size} different mails to one person`])),
          ...(alerts.length ? [] : ['no alert was opened, so nothing was tested']),
        ],
      };
    },
  };
}
