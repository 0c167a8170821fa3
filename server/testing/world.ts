import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import type { PublishedList } from '@porchlight/definitions/default-lists.ts';
import { type FirstList, readFirstList } from '@porchlight/definitions/first-list.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { recognitionWith, shippedCatalogue } from '@porchlight/definitions/testing/shipped-catalogue.ts';
import { simulatorAccess } from '@porchlight/simulators/access.ts';
import { type MailboxMail, type MailStep, openMailbox } from '@porchlight/simulators/mailbox/mailbox.ts';
import { mailboxRoutes } from '@porchlight/simulators/mailbox/pages.ts';
import type { SharedDocument } from '@porchlight/simulators/ports.ts';
import {
  newPushState,
  openPushSimulator,
  type PushFailure,
  type PushSimulator,
  type SimulatedPush,
} from '@porchlight/simulators/push/push.ts';
import { pushSimulatorRoutes } from '@porchlight/simulators/push/routes.ts';
import { newShop } from '@porchlight/simulators/stripe/local.ts';
import { stripePages } from '@porchlight/simulators/stripe/pages/routes.ts';
import type { State } from '@porchlight/simulators/stripe/state.ts';
import { openStripeSimulator, type StripeSimulator } from '@porchlight/simulators/stripe/stripe.ts';
import { documentInMemory } from '@porchlight/simulators/testing/stored.ts';
import type { CallActions, PhoneCall, StoredCalls } from '@porchlight/simulators/twilio/calls.ts';
import type { OptedOut } from '@porchlight/simulators/twilio/phones.ts';
import { type MailboxText, openTwilioSimulator } from '@porchlight/simulators/twilio/twilio.ts';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { buildApp } from '../app.ts';
import type { App } from '../app-types.ts';
import { type Config, readConfig } from '../config.ts';
import { listen } from '../db/listen.ts';
import { type Db, openDb } from '../db/open.ts';
import { openServerDb } from '../db/traffic.ts';
import type { OperatorSurroundings } from '../features/operator-alerts/surroundings.ts';
import { eventLoopDelay } from '../http/event-loop.ts';
import type { InstallerBuilder } from '../integrations/installers/installers.ts';
import { listFetcher } from '../integrations/lists/fetch-list.ts';
import { smtpMailer } from '../integrations/mail/smtp.ts';
import { type Payments, stripePayments } from '../integrations/payments/payments.ts';
import { noPush } from '../integrations/push/push.ts';
import { knownPushServices } from '../integrations/push/services.ts';
import { webPush } from '../integrations/push/web-push.ts';
import { twilioSender } from '../integrations/sms/twilio.ts';
import { twilioVoice } from '../integrations/voice/twilio-voice.ts';
import { noVoice } from '../integrations/voice/voice.ts';
import type { Worker } from '../jobs/worker.ts';
import { after } from '../lib/clock.ts';
import { fail } from '../lib/errors.ts';
import { openLog } from '../lib/log.ts';
import { sharedDocument } from '../lib/shared-document.ts';
import { storedItems } from '../lib/stored-items.ts';
import { operatorSurroundings } from '../operator-surroundings.ts';
import { pushKeys } from '../secrets/push-keys.ts';
import { sealer } from '../secrets/seal.ts';
import { simulatorKeyIn } from '../secrets/secret-key.ts';
import { admin, templateDatabase, withDatabase } from './global-setup.ts';
import { insertDevice, insertGuardian, insertPerson, insertPlan, type PeopleTables } from './insert-people.ts';

/** A body whose shape the compiler does not know. */
export interface Loose {
  [key: string]: Loose;
}

export interface Reply {
  status: number;
  body: Loose;
  headers: Record<string, string | string[] | number | undefined>;
}

export interface TestServer {
  app: App;
  db: Db;
  database_url: string;
  /** For `insert-people.ts`. */
  people: PeopleTables;
  simulator_key: string;
  config: Config;
  logged(): string;
  clock: { now(): Date; turn(ms: number): void };
  /** `await server.stripeSimulator.deliver()` runs what is due, and waits for its events. */
  stripeSimulator: StripeSimulator;
  shop: SharedDocument<State>;
  payments: Payments;
  call(key: string, options?: { token?: string; body?: unknown; headers?: Record<string, string> }): Promise<Reply>;
  /** The workers of all servers on the database of this one. */
  workers: Set<Worker>;
  /** The mails to an address, after all queued jobs have run; the mail that was queued last comes first, however they arrived. */
  mailsTo(email: string): Promise<MailboxMail[]>;
  /** The SMS to a number (E.164), newest first, after all queued jobs have run. */
  textsTo(number: string): Promise<MailboxText[]>;
  /** The calls to a number (E.164), newest first, after all queued jobs have run. */
  callsTo(number: string): Promise<PhoneCall[]>;
  /** What people do with their phones. */
  phones: CallActions;
  /** Twilio signs its forms with it. */
  twilio_auth_token: string;
  pushes: SimulatedPushes;
  /** Simulates an SMS from this number (E.164) to us. */
  textFrom(number: string, body: string): Promise<{ status: number; body: string }>;
  close(): Promise<void>;
}

/** The push service's simulator. */
export interface SimulatedPushes extends Pick<PushSimulator, 'subscribe' | 'end'> {
  /** The messages to a subscription, newest last, after all queued jobs have run. */
  to(label: string): Promise<SimulatedPush[]>;
  /** What the service does with each message from now on; null: accepts it. */
  fail(failure: PushFailure | null): void;
}

/** Texts that replace the template's, as production requires. */
export const ownTexts = () => ({ support: { email: 'help@family-care.org', phone: '1-212-736-5000' }, pages: {} });

interface TestServerOptions {
  /** A PostgreSQL with the template database, outside of a test run. */
  postgres_url?: string;
  /** Uses the database and the shop of this server. */
  otherServer?: TestServer;
  /** The list of sites that ships with the server, where SITE_LISTS has it. */
  firstList?: () => FirstList;
  defaultLists?: PublishedList[];
  /** Without one the server builds no installers. */
  installerBuilder?: InstallerBuilder | null;
  /** What is around the server, for its notifications to the operator. */
  surroundings?: Partial<OperatorSurroundings>;
  /** Stores the payment simulator's shop in the database, as a server does, so that the operator's command reads it too. */
  storedShop?: boolean;
  /** Delays or refuses mail: see `openMailbox`. */
  onMailStep?: (step: MailStep, recipient: string) => unknown;
}

/** How many attempts all jobs have taken; grows with each job that begins. */
async function attemptsOn(db: Db): Promise<number> {
  const { sum } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.sum<string | null>('attempts').as('sum'))
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}

/** Uses its own database, or that of `otherServer`. The clock changes only when a test turns it. */
export async function testServer(
  env: Record<string, string> = {},
  definitions: Definition[] = shippedCatalogue(),
  {
    postgres_url,
    otherServer,
    storedShop = false,
    firstList = readFirstList,
    defaultLists = [],
    onMailStep,
    installerBuilder = null,
    surroundings = {},
  }: TestServerOptions = {},
): Promise<TestServer> {
  const baseUrl = postgres_url ?? inject('postgres_url');
  const name = `test_${randomBytes(6).toString('hex')}`;
  if (!otherServer) await admin(baseUrl, `create database ${name} template ${templateDatabase} strategy file_copy`);
  const url = otherServer?.database_url ?? withDatabase(baseUrl, name);
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-mail-'));
  // Without lists of sites, because tests have no internet.
  const usualEnv = { PUBLIC_URL: 'http://localhost:4380', DATA_DIR: folder, TRUST_PROXY: 'on', SITE_LISTS: 'off' };
  const config = readConfig({ ...usualEnv, ...env }, ownTexts);

  let now = new Date('2026-11-21T14:05:00.000Z');
  const clock = {
    now: () => now,
    turn: (ms: number) => {
      now = after(now, ms);
    },
  };
  const { db, traffic, close: closeDb } = openServerDb(url, config.connections, () => now.getTime());
  const listener = await listen(url);
  const simulators = openDb(url, 2);
  const mailbox = await openMailbox(storedItems(simulators.db, 'mail'), onMailStep);
  const mailer = smtpMailer(mailbox.smtp_url, config.mail_from);
  const opted_out = await sharedDocument<OptedOut>(simulators.db, 'texts_opted_out', () => ({ numbers: [] }));
  const twilioSimulator = await openTwilioSimulator(
    {
      items: storedItems(simulators.db, 'text'),
      opted_out,
      calls: await sharedDocument<StoredCalls>(simulators.db, 'phone_calls', () => ({ calls: [] })),
    },
    {
      public_url: config.public_url,
      async post(path, form, signature) {
        const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
        const { statusCode, body } = await app.http.inject({ method: 'POST', url: path, headers, payload: form });
        return { status: statusCode, body };
      },
    },
    { timers: false },
  );
  const smsSender = twilioSender(twilioSimulator.account);
  const voiceCaller = config.voice ? twilioVoice(twilioSimulator.account) : noVoice;
  let pushFailure: PushFailure | null = null;
  const pushSimulator = await openPushSimulator(
    { items: storedItems(simulators.db, 'push'), state: await sharedDocument(simulators.db, 'push_subscribers', newPushState) },
    () => pushFailure,
  );
  const ownSealer = sealer('a secret key for tests, thirty-two characters');
  const pushSender =
    config.push.by === 'off'
      ? noPush
      : webPush({
          keys: await pushKeys(db, ownSealer),
          subject: 'mailto:help@family-care.org',
          services: [...knownPushServices, ...config.push.services],
          simulator: pushSimulator,
        });
  const lines: string[] = [];
  const ownShop = storedShop ? await sharedDocument(simulators.db, 'test_shop', newShop(clock)) : documentInMemory(newShop(clock)());
  const shop = otherServer?.shop ?? ownShop;
  const stripeSimulator = await openStripeSimulator({
    document: shop,
    clock,
    pages_url: `${config.public_url}/dev/payments`,
    async send(body, signature) {
      const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
      return (await app.http.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload: body })).statusCode;
    },
  });
  const payments = stripePayments(stripeSimulator.settings);
  const delay = eventLoopDelay();
  const app = await buildApp(config, {
    db,
    traffic,
    eventLoopDelay: delay.read,
    listener,
    clock,
    log: openLog(config.log_level, { write: (line: string) => void lines.push(line) }),
    sealer: ownSealer,
    integrations: {
      mailer,
      smsSender,
      voiceCaller,
      pushSender,
      payments,
      installerBuilder,
      surroundings: {
        ...operatorSurroundings(config, url, { addressesOf: async () => ['127.0.0.1'], authorities: [] }),
        // Tests make the rounds themselves.
        every: { check: day, ping: day },
        ...surroundings,
      },
      fetchList: listFetcher({ allowInternal: true, max: 1024 * 1024, timeoutMs: 5000 }),
      fetchFeed: listFetcher({ allowInternal: true, max: 8 * 1024 * 1024, timeoutMs: 5000 }),
    },
    shipped: {
      recognition: recognitionWith(definitions),
      firstList,
      defaultLists,
      dashboard_dist: join(folder, 'no-dashboard'),
      version: '1.0.0-test',
    },
  });

  // A job of one server may run on another one of the same database, and queue a job that runs on this one.
  const workers = (otherServer?.workers ?? new Set()).add(app.worker);
  const idle = async () => {
    if (workers.size === 1) return app.worker.idle();
    for (let before = -1, attempts = 0; before !== attempts; ) {
      before = attempts;
      for (const worker of workers) await worker.idle();
      attempts = await attemptsOn(db);
    }
  };

  const simulator_key = await simulatorKeyIn(folder);
  const access = simulatorAccess(simulator_key, false, () => fail('not_found'));
  mailboxRoutes(app.http, access, { mailbox, twilioSimulator, pushSimulator });
  pushSimulatorRoutes(app.http, access, pushSimulator);
  stripePages(app.http, access, stripeSimulator);

  return {
    app,
    workers,
    db,
    database_url: url,
    people: { db, clock, sealer: ownSealer, shop: stripeSimulator, dashboard_url: `${config.public_url}/dashboard` },
    simulator_key,
    config,
    clock,
    stripeSimulator,
    shop,
    payments,
    logged: () => lines.join(''),
    async call(key, { token, body, headers = {} } = {}) {
      const [method = 'GET', path = ''] = key.split(' ');
      const answer = await app.http.inject({
        method: method as 'GET',
        url: `/api${path}`,
        headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      return { status: answer.statusCode, body: isJson(answer.headers) ? answer.json<Loose>() : {}, headers: answer.headers };
    },
    async mailsTo(email) {
      await idle();
      return newestQueuedFirst(
        db,
        (await mailbox.list()).filter((mail) => mail.to.includes(email)),
      );
    },
    async textsTo(number) {
      await idle();
      return (await twilioSimulator.list()).filter((text) => text.to === number);
    },
    async callsTo(number) {
      await idle();
      return (await twilioSimulator.calls.list()).filter((call) => call.to === number).reverse();
    },
    phones: twilioSimulator.calls,
    twilio_auth_token: twilioSimulator.account.auth_token,
    pushes: {
      subscribe: pushSimulator.subscribe,
      end: pushSimulator.end,
      async to(label) {
        await idle();
        return (await pushSimulator.list()).filter((push) => push.to === label);
      },
      fail(failure) {
        pushFailure = failure;
      },
    },
    textFrom: twilioSimulator.write,
    async close() {
      workers.delete(app.worker);
      await app.close();
      delay.close();
      await stripeSimulator.close();
      await smsSender.close();
      await voiceCaller.close();
      await twilioSimulator.close();
      await pushSender.close();
      await pushSimulator.close();
      await mailer.close();
      await mailbox.close();
      await listener.close();
      await simulators.close();
      await closeDb();
      if (!otherServer) await admin(baseUrl, `drop database ${name} with (force)`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Pages and TwiML are not JSON. */
const isJson = (headers: Reply['headers']) => String(headers['content-type']).startsWith('application/json');

export const goodPassword = 'correct horse battery';

/** A user with a plan: a trial of Friends & Family, for five devices. */
export async function person(
  server: TestServer,
  name = 'Ann Example',
  email = `${randomUUID()}@example.org`,
): Promise<{ token: string; email: string }> {
  const { account, token } = await insertPerson(server.people, { name, email, caller: fakeAddress() });
  await insertPlan(server.people, { account, name, email });
  return { token, email };
}

/** A user who has registered, confirmed their address and logged in, without a plan. */
export async function newcomer(
  server: TestServer,
  name = 'Ann Example',
  email = `${randomUUID()}@example.org`,
): Promise<{ token: string; email: string }> {
  const { token } = await insertPerson(server.people, { name, email, caller: fakeAddress() });
  return { token, email };
}

/** The text after `marker` in the first link that contains it. */
export function linkIn(mail: MailboxMail | undefined, marker: string): string {
  return mail?.text.split(marker)[1]?.split(/\s/)[0] ?? '';
}

/** `token`: of the holder's session. */
export const linkedDevice = (
  { people }: TestServer,
  token: string,
  name = 'Den PC',
  policy: string | null = null,
): Promise<{ uuid: string; agent: string }> => insertDevice(people, token, name, policy ?? undefined);

/** A device that was connected for an hour, which the hash of the PIN requires. */
export async function usedDevice(server: TestServer, token: string, name?: string): Promise<{ uuid: string; agent: string }> {
  const device = await linkedDevice(server, token, name);
  const row = { device: device.uuid, connected_ms: serverLimits.pin_hash_after, last: server.clock.now() };
  await server.db.insertInto('device_use').values(row).execute();
  return device;
}

/** A guardian who accepted. `token`: of the holder's session. */
export const activeGuardian = async (server: TestServer, token: string, name = 'Bob', email = `${randomUUID()}@example.org`) =>
  (await insertGuardian(server.people, token, name, email)) ?? guardsByCalls(server, token, name, email);

/** The same by calls: the holder adds the guardian, who opens the page with the link of the email, and accepts. */
export async function guardsByCalls(server: TestServer, token: string, name: string, email: string) {
  const { body } = await server.call('POST /web/create-guardian', { token, body: { name, email } });
  const uuid = String(body.uuid);
  const session = await guardianSession(server, uuid, email);
  await server.call(`POST /guardian/${uuid}/accept`, { headers: session });
  return { uuid, email, session };
}

/** In the order of arrival if one of them was sent without a job of this database. */
async function newestQueuedFirst(db: Db, mails: MailboxMail[]): Promise<MailboxMail[]> {
  if (mails.length < 2) return mails;
  const jobOf = ({ message_id }: MailboxMail) => message_id.split('@')[0] ?? '';
  const { rows } = await sql<{ job: string; nth: string }>`
    select job, nth from testing.queued where job::text = any(${mails.map(jobOf)})`.execute(db);
  const nth = new Map(rows.map((row) => [row.job, Number(row.nth)]));
  if (!mails.every((mail) => nth.has(jobOf(mail)))) return mails;
  return mails.toSorted((a, b) => (nth.get(jobOf(b)) ?? 0) - (nth.get(jobOf(a)) ?? 0));
}

/** Exchanges the key of the newest mail for the cookies of the guardian's page. */
export async function guardianSession(server: TestServer, uuid: string, email: string): Promise<Record<string, string>> {
  const [mail] = await server.mailsTo(email);
  const key = linkIn(mail, `/guardian/${uuid}/`);
  const { headers } = await server.call(`POST /guardian/${uuid}/session`, { body: { key }, headers: { 'x-forwarded-for': fakeAddress() } });
  const cookies = [headers['set-cookie'] ?? []].flat().map((c) => String(c).split(';')[0] ?? '');
  const xsrf = cookies.find((c) => c.startsWith('XSRF-TOKEN='))?.split('=')[1] ?? '';
  return { cookie: cookies.join('; '), 'x-xsrf-token': xsrf };
}

/** Stores that somebody has agreed to all changes so far: the next one is not the second within an hour, which would wait (P9.1). */
export async function agreeToChanges(server: TestServer): Promise<void> {
  await server.db.updateTable('activity_log').set({ counted: null }).where('counted', 'is not', null).execute();
}

/** Ends all incidents, as somebody who may does: calls do not wait for a yes any more (P9.2). */
export async function endIncidents(server: TestServer): Promise<void> {
  await server.db.updateTable('incidents').set({ over: server.clock.now() }).where('over', 'is', null).execute();
}

export function detection(server: TestServer, more: Partial<ReportedDetection> = {}): ReportedDetection {
  return {
    uuid: randomUUID(),
    time: server.clock.now().toISOString(),
    name: 'AnyDesk',
    identifier: 'anydesk',
    category: 'RemoteControl',
    details: '/tmp/AnyDesk',
    blocked: true,
    certainty: 'likely',
    why: '',
    start: 'person',
    ...more,
  };
}

/** Polls until `condition` returns true; throws after `ms`, naming `what`. */
export async function until(what: string, condition: () => Promise<boolean> | boolean, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Lower addresses are for tests that choose their addresses. */
let lastAddress = 128 * 256;

/** RFC 2544 range. A new address each time, so that rate limits do not affect other tests; it counts only if the server trusts a proxy. */
export function fakeAddress(): string {
  lastAddress = (lastAddress + 1) % 65_536;
  return `198.18.${lastAddress >> 8}.${lastAddress & 255}`;
}
