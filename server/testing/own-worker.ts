import { smtpMailer } from '../integrations/mail/smtp.ts';
import { noSms, type SmsSender } from '../integrations/sms/sms.ts';
import { jobHandlers } from '../job-handlers.ts';
import { type Worker, type WorkerDeps, worker } from '../jobs/worker.ts';
import { deliveryStore } from '../notifications/deliveries.ts';
import type { TestServer } from './world.ts';

export interface OwnWorker {
  worker: Worker;
  lines: string[];
  close(): Promise<void>;
}

/** Replaces the server's worker: close `server.app.worker` first. `timeoutMs`: socket timeout. */
export function ownWorker(
  server: TestServer,
  smtp_url: string,
  { timeoutMs = 200, smsSender = noSms, log: ownLog }: { timeoutMs?: number; smsSender?: SmsSender; log?: WorkerDeps['log'] } = {},
): OwnWorker {
  const mailer = smtpMailer(smtp_url, 'Porchlight <no-reply@example.org>', timeoutMs, { urgent: 16, ordinary: 6, bulk: 4 });
  const notExpected = async () => {
    throw new Error('not in this test');
  };
  const handlers = jobHandlers({
    clock: server.clock,
    mailer,
    smsSender,
    phones: { optedOut: async () => false, setOptedOut: async () => {}, endCarrierOptOut: async () => {} },
    mails: { reset: notExpected, change: notExpected, passwordKnown: notExpected },
    budgets: { spend: async () => true, giveBack: async () => [] },
    countries: 'all',
    hostname: 'localhost',
  });
  const { settled } = deliveryStore(server.db, server.clock);
  const listener = { on: () => {}, close: async () => {} };
  const lines: string[] = [];
  const write = (level: string) => (o: object, m: string) => void lines.push(JSON.stringify({ level, ...o, m }));
  const log = ownLog ?? { error: write('error'), info: write('info') };
  const w = worker({ db: server.db, clock: server.clock, listener, handlers, log, settled });
  return {
    worker: w,
    lines,
    async close() {
      await w.close();
      await mailer.close();
    },
  };
}
