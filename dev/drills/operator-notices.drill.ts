import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMailbox } from '@porchlight/simulators/mailbox/mailbox.ts';
import { call } from '../call.ts';
import { validPassword } from '../people.ts';
import { freePort } from '../ports.ts';
import { openTestPostgres } from '../test-postgres.ts';
import { until } from '../until.ts';
import { startWorld, type World } from '../world.ts';
import { type MountedDisk, mountDisk } from './mounted-disk.ts';
import { inMemory } from './own-mail-server.ts';

export const minutes = 22;

type Log = (line: string) => void;

interface Notice {
  problem: string;
  state: 'began' | 'ended';
  text: string;
}

interface Trouble {
  /** The notices' `problem`. */
  problem: RegExp;
  cause(): Promise<unknown>;
  /** What the metrics have while it lasts. */
  shownAs: RegExp;
  mend(): Promise<unknown>;
  /** Emails to the operator from its beginning to its end. */
  emails: number;
}

const operator = { email: 'operator@example.org', phone: '+12025550199' };
const megabytes = 1_500;
/** In milliseconds. A problem has to last, and so has its end, before the operator is notified. */
const notice_within = 6 * 60_000;
/** In milliseconds: nothing more about a problem may come meanwhile. */
const quiet = 65_000;
/** In milliseconds: long enough for a notice and the quiet after it. */
const postgres_away = 170_000;

/**
 * Breaks the mail relay, then fills the disk of the data folder, then stops PostgreSQL; then fills a disk with the embedded database on it. Each
 * must be visible in the metrics, the operator must be notified of it once, and once again when it is over. Returns the problems.
 */
export async function drill(log: Log): Promise<string[]> {
  const disk = await mountDisk(megabytes);
  if (typeof disk === 'string') return [disk];
  try {
    return [...(await onOwnPostgres(disk, log)), ...(await onEmbeddedPostgres(disk, log))];
  } finally {
    await disk.unmount();
  }
}

async function onOwnPostgres(disk: MountedDisk, log: Log): Promise<string[]> {
  const postgres = await openTestPostgres();
  if (typeof postgres === 'string') return [`This drill needs a PostgreSQL: ${postgres}.`];
  const { restart } = postgres;
  if (!restart) return ['The PostgreSQL of TEST_DATABASE_URL is not ours, so this drill does not restart it. Unset TEST_DATABASE_URL.'];
  const relay = await openRelay();
  let postgresBack = Promise.resolve();
  try {
    return await inWorld({ dataDir: join(disk.folder, 'own'), databaseUrl: postgres.url, relay }, log, async (world) => [
      {
        problem: /^mail$/,
        async cause() {
          relay.works = false;
          await register(world);
        },
        shownAs: /porchlight_carrier_away\{carrier="mail"\} 1\n/,
        mend: async () => void (relay.works = true),
        emails: 1,
      },
      { problem: /^disk:/, cause: disk.fill, shownAs: /porchlight_disk_free_bytes \d{1,6}\n/, mend: disk.free, emails: 2 },
      {
        problem: /^database$/,
        cause: async () => void (postgresBack = restart(postgres_away)),
        shownAs: /porchlight_database_up 0\n/,
        mend: () => postgresBack,
        emails: 2,
      },
    ]);
  } finally {
    await postgresBack;
    await relay.close();
    await postgres.stop();
  }
}

async function onEmbeddedPostgres(disk: MountedDisk, log: Log): Promise<string[]> {
  const relay = await openRelay();
  try {
    return await inWorld({ dataDir: join(disk.folder, 'embedded'), relay }, log, async (world) => [
      {
        // Of which of the two the operator is notified depends on what PostgreSQL has to write meanwhile.
        problem: /^(disk:|database$)/,
        async cause() {
          await disk.fill();
          await register(world).catch(() => {});
        },
        shownAs: /porchlight_disk_free_bytes \d{1,6}\n/,
        mend: disk.free,
        emails: 2,
      },
    ]);
  } finally {
    await relay.close();
  }
}

type Relay = Awaited<ReturnType<typeof openRelay>>;

async function openRelay() {
  const relay = { works: true };
  const mailbox = await openMailbox(inMemory(), (step) => {
    if (step === 'rcpt' && !relay.works) throw Object.assign(new Error('4.3.2 closed'), { responseCode: 421 });
  });
  return Object.assign(relay, {
    url: mailbox.smtp_url,
    toOperator: async () => (await mailbox.list()).filter(({ to }) => to.includes(operator.email)),
    close: mailbox.close,
  });
}

/** A call that sends an email. */
const register = (world: World) =>
  call(world.url, 'POST /register', {
    body: { name: 'Ann Example', email: `ann-${Date.now()}@example.org`, password: validPassword, promo: null },
  });

interface Place {
  dataDir: string;
  databaseUrl?: string;
  relay: Relay;
}

async function inWorld(
  { dataDir, databaseUrl, relay }: Place,
  log: Log,
  troublesIn: (world: World) => Promise<Trouble[]>,
): Promise<string[]> {
  const webhook = await openWebhook();
  const metricsPort = await freePort();
  const world = await startWorld({
    dataDir,
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    env: {
      SMTP_URL: relay.url,
      METRICS_PORT: String(metricsPort),
      OPERATOR_EMAIL: operator.email,
      OPERATOR_PHONE: operator.phone,
      OPERATOR_WEBHOOK: webhook.url,
      BACKUP_ALERT_HOURS: 'off',
    },
  });
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { signal: AbortSignal.timeout(5_000) })).text();
  try {
    const problems: string[] = [];
    for (const trouble of await troublesIn(world)) problems.push(...(await goThrough(trouble, { relay, webhook, metrics, log })));
    return problems;
  } finally {
    await world.close();
    await webhook.close();
  }
}

interface Observed {
  relay: Relay;
  webhook: { notices: Notice[] };
  metrics(): Promise<string>;
  log: Log;
}

async function goThrough(trouble: Trouble, { relay, webhook, metrics, log }: Observed): Promise<string[]> {
  const { problem, shownAs } = trouble;
  const problems: string[] = [];
  const require = (sentence: string, holds: boolean) => void (holds || problems.push(`${problem.source}: ${sentence}`));
  const noticesOf = (state: Notice['state']) => webhook.notices.filter((one) => one.state === state && problem.test(one.problem)).length;
  const emailsBefore = (await relay.toOperator()).length;
  webhook.notices.length = 0;
  require('the metrics show it before it is there', !shownAs.test(await metrics()));

  const startedAt = Date.now();
  await trouble.cause();
  await until('the metrics to show it', async () => shownAs.test(await metrics()), notice_within, 500).catch(() =>
    require('the metrics do not show it', false),
  );
  await until('the notice', () => noticesOf('began'), notice_within, 500).catch(() => require('the operator was not notified', false));
  log(`${problem.source}: the operator was notified after ${seconds(startedAt)} s: ${webhook.notices[0]?.text ?? 'nothing'}`);
  const labels = [...(await metrics()).matchAll(/porchlight_problem\{problem="([^"]+)"\} 1/g)].map(([, label = '']) => label);
  require(`the metrics name ${labels.join(', ') || 'no problem'}`, labels.some((label) => problem.test(label)));
  await sleep(quiet);
  require(`${noticesOf('began')} notices of its beginning`, noticesOf('began') === 1);
  require('its end was notified before it was over', noticesOf('ended') === 0);

  const mendedAt = Date.now();
  await trouble.mend();
  await until('the notice of the end', () => noticesOf('ended'), notice_within, 500).catch(() =>
    require('the operator was not notified of the end', false),
  );
  log(`${problem.source}: the operator was notified of the end after ${seconds(mendedAt)} s: ${webhook.notices.at(-1)?.text ?? 'nothing'}`);
  await sleep(quiet);
  require('the metrics still show it', !shownAs.test(await metrics()) && !/porchlight_problem\{.*\} 1/.test(await metrics()));
  const { notices } = webhook;
  require(`the notices were ${notices.map((one) => `${one.problem} ${one.state}`).join(', ')}`, notices.length === 2);
  const emails = await relay.toOperator();
  const emailCount = emails.length - emailsBefore;
  for (const { subject } of emails.slice(0, emailCount).reverse()) log(`${problem.source}: an email: ${subject}`);
  require(`${emailCount} emails instead of ${trouble.emails}`, emailCount === trouble.emails);
  return problems;
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1_000);

async function openWebhook() {
  const notices: Notice[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      notices.push(JSON.parse(body) as Notice);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    notices,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notices`,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
