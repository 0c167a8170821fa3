import { minute } from '@porchlight/contract/time.ts';
import { onTestFinished } from 'vitest';
import type { OperatorSurroundings } from '../features/operator-alerts/surroundings.ts';
import type { Disk } from '../lib/read-disk.ts';
import { type WebhookServer, webhookServer } from './webhook-server.ts';
import { type TestServer, testServer } from './world.ts';

export const operatorEmail = 'operator@family-care.org';
/** In another country than the sender's number, to which no text of people goes here. */
export const operatorPhone = '+4915123456789';
const gigabyte = 1_000_000_000;

export interface OperatorWorld {
  server: TestServer;
  hook: WebhookServer;
  /** What the mail server answers to everyone; null: it accepts. */
  mailFault: { status: number | null };
  disk: Disk;
  /** Further servers on the same database. */
  another(surroundings?: Partial<OperatorSurroundings>): Promise<TestServer>;
  /** A round of checks of all servers at once. */
  check(): Promise<void>;
  /** Turns the clocks, with a round of checks every 30 seconds. */
  pass(minutes: number): Promise<void>;
  /** What each channel has received about problems. */
  received(): Promise<{ mails: string[]; texts: string[]; events: string[] }>;
}

interface OperatorWorldOptions {
  env?: Record<string, string>;
  /** Only email. */
  mailOnly?: boolean;
  surroundings?: Partial<OperatorSurroundings>;
}

/** A server whose operator has an email address, a phone and a webhook; closed after the test. */
export async function operatorWorld({ env = {}, mailOnly = false, surroundings = {} }: OperatorWorldOptions = {}): Promise<OperatorWorld> {
  const hook = await webhookServer();
  const mailFault: OperatorWorld['mailFault'] = { status: null };
  const disk = { free: 50 * gigabyte, size: 100 * gigabyte };
  const ways: Record<string, string> = mailOnly ? {} : { OPERATOR_PHONE: operatorPhone, OPERATOR_WEBHOOK: hook.url };
  const settings = { OPERATOR_EMAIL: operatorEmail, TEXT_COUNTRIES: 'US', ...ways, ...env };
  const around = { hostname: 'one', readDisk: async () => disk, ...surroundings };
  const onMailStep = (step: string) => {
    if (step === 'rcpt' && mailFault.status !== null) throw Object.assign(new Error('4.3.2 closed'), { responseCode: mailFault.status });
  };
  const server = await testServer(settings, [], { surroundings: around, onMailStep });
  onTestFinished(() => server.close());
  const servers = [server];
  const check = async () => {
    await Promise.all(servers.map(({ app }) => app.checkOperation()));
  };
  // A lease ends while its job runs if the clock is turned then.
  const idle = async () => {
    for (const worker of server.workers) await worker.idle();
  };
  return {
    ...{ server, hook, mailFault, disk, check },
    async another(more = {}) {
      const other = await testServer(settings, [], {
        otherServer: server,
        surroundings: { ...around, hostname: 'two', ...more },
        onMailStep,
      });
      onTestFinished(() => other.close());
      servers.push(other);
      return other;
    },
    async pass(minutes) {
      for (let halves = 0; halves < minutes * 2; halves++) {
        for (const { clock } of servers) clock.turn(minute / 2);
        await idle();
        await check();
        await idle();
      }
    },
    async received() {
      const texts = (await server.textsTo(operatorPhone)).map(({ body }) => body).reverse();
      const mails = (await server.mailsTo(operatorEmail)).map(({ subject }) => subject).reverse();
      return { mails, texts, events: hook.accepted.map(({ problem, state }) => `${problem} ${state}`) };
    },
  };
}
