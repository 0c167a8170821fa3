import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MailboxMail } from '@porchlight/simulators/mailbox/mailbox.ts';
import { until } from '../until.ts';
import { type Answered, loadOn } from './open-loop.ts';
import { helperDetection, helperIn } from './reported-alerts.ts';

export interface AlertReports {
  /** Reports an alert of its own, and repeats a refused report as an agent does. `meant`: when it was scheduled, of `performance.now()`. */
  report(meant?: number): Promise<Answered>;
  /** Waits until the mail server has accepted every mail. */
  allAccepted(timeoutMs: number): Promise<void>;
  /**
   * Milliseconds from the scheduled time of each report to the mail server's acceptance, for each recipient, in the order of acceptance.
   * `since`: only alerts scheduled from then on.
   */
  latencies(since?: number): Promise<number[]>;
  /** Emails that the mail server accepted more than once. */
  copies(): Promise<number>;
  close(): void;
}

/** The latency of alerts of one device, reported to these servers in turns. `recipients`: everybody who gets an email. */
export function alertReports(
  { urls, mailbox }: { urls: string[]; mailbox(): Promise<MailboxMail[]> },
  token: string,
  recipients: string[],
): AlertReports {
  const loads = urls.map((url) => loadOn(url, 16));
  const scheduled = new Map<string, number>();
  const acceptedMails = async () =>
    (await mailbox()).flatMap(({ subject, to, received }) => {
      const name = helperIn(subject) ?? '';
      const meant = scheduled.get(name);
      if (meant === undefined || !recipients.includes(to[0] ?? '')) return [];
      return [{ key: `${name} ${to[0]}`, meant, accepted: new Date(received).getTime() - performance.timeOrigin }];
    });
  const expected = () => scheduled.size * recipients.length;
  return {
    async report(meant = performance.now()) {
      const uuid = randomUUID();
      const detection = helperDetection(uuid, uuid);
      const load = loads[scheduled.size % loads.length];
      scheduled.set(detection.name, meant);
      if (!load) throw new Error('There is no server to report to.');
      for (;;) {
        const answer = await load.send({ path: '/agent/detections', method: 'POST', token, body: { detections: [detection] }, meant });
        if (answer.status === 200) return answer;
        await sleep((answer.retry_after ?? 0.5) * 1000);
      }
    },
    allAccepted: async (timeoutMs) =>
      void (await until('every alert to be accepted', async () => (await acceptedMails()).length >= expected(), timeoutMs, 250)),
    latencies: async (since = 0) =>
      (await acceptedMails())
        .toSorted((a, b) => a.accepted - b.accepted)
        .flatMap(({ meant, accepted }) => (meant >= since ? [accepted - meant] : [])),
    async copies() {
      const mails = await acceptedMails();
      return mails.length - new Set(mails.map(({ key }) => key)).size;
    },
    close() {
      for (const load of loads) load.close();
    },
  };
}
