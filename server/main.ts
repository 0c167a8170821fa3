import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { BadConfig, type Config, readConfig } from './config.ts';
import { startEmbedded } from './db/embedded/start.ts';
import { listen } from './db/listen.ts';
import { migrate } from './db/migrate.ts';
import { openDb } from './db/open.ts';
import { systemClock } from './lib/clock.ts';
import { lockDataFolder } from './lib/data-lock.ts';
import { sealer } from './lib/seal.ts';
import { secretKeyIn } from './lib/secret-key.ts';
import { listFetcher } from './outside/lists/fetch-list.ts';
import { openMailbox } from './outside/mail/mailbox.ts';
import { mailboxRoutes } from './outside/mail/mailbox-page.ts';
import { smtpMailer } from './outside/mail/smtp.ts';
import { openLocalTill } from './outside/payments/local-till.ts';
import { tillRoutes } from './outside/payments/pages/till-routes.ts';
import { stripePayments } from './outside/payments/payments.ts';
import { noTexts } from './outside/sms/sms.ts';
import { openTextbox, type Us } from './outside/sms/textbox.ts';
import { postTo } from './outside/sms/textbox-post.ts';
import { twilioTexter } from './outside/sms/twilio.ts';

/** The only place that knows process.env, signals and exit. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ level: process.env.LOG_LEVEL ?? 'info' });
  await mkdir(config.data_dir, { recursive: true, mode: 0o700 });
  const lock = config.database_url ? null : await lockDataFolder(config.data_dir);
  if (!config.database_url && !lock) {
    stop(`Another Porchlight server is already running on ${config.data_dir}. Stop it first, or set DATA_DIR to another folder.`);
  }
  const closing: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of closing.reverse()) await close();
  };
  try {
    await serve(config, log, closing);
  } catch (err) {
    await closeAll().catch(() => {});
    throw err;
  }

  let stopping = false;
  const stopNow = () => {
    if (stopping) return;
    stopping = true;
    // Whatever hangs, a stop is a stop.
    setTimeout(() => process.exit(1), 15_000).unref();
    closeAll().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stopNow);
  // Started by `npm start`, and that has ended without a word.
  process.once('disconnect', stopNow);
}

/** Opens everything in order; `closing` gets how to close each. */
async function serve(config: Config, log: pino.Logger, closing: (() => Promise<void>)[]): Promise<void> {
  const database_url = config.database_url ?? (await embedded(config, log, closing));
  const { db, close } = openDb(database_url);
  closing.push(close);
  await migrate(db);
  const listener = await listen(database_url);
  closing.push(listener.close);

  const folder = join(config.data_dir, 'mailbox');
  const mailbox = config.smtp_url ? null : await openMailbox(folder);
  if (mailbox) closing.push(mailbox.close);
  const mailer = smtpMailer(config.smtp_url ?? mailbox?.smtp_url ?? '', config.mail_from);
  closing.push(mailer.close);
  const textbox = config.texts === 'mailbox' ? await openTextbox(folder, besideUs(config)) : null;
  if (textbox) closing.push(textbox.close);
  const texter = textbox
    ? twilioTexter(textbox.account)
    : typeof config.texts === 'object'
      ? twilioTexter({ ...config.texts, status_url: statusUrl(config) })
      : noTexts;
  closing.push(texter.close);

  const { payments, till } = await whoTakesPayments(config, closing);

  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const app = await buildApp(config, {
    db,
    listener,
    clock: systemClock,
    log,
    mailer,
    texter,
    payments,
    fetchList: listFetcher(),
    sealer: sealer(config.secret_key ?? (await secretKeyIn(config.data_dir))),
    definitions: readCatalogue(),
    dashboard_dist: new URL('../dashboard/dist', import.meta.url).pathname,
    version,
  });
  closing.push(app.close);
  if (mailbox || textbox) mailboxRoutes(app.http, mailbox, textbox);
  if (till) tillRoutes(app.http, till);
  await app.http.listen({ port: config.port, host: config.host });
  log.info({ port: config.port }, 'listening');
}

/** How the stand-in for Twilio reaches this server, which may be known outside by a name that does not lead here. */
const besideUs = ({ public_url, host, port }: Config): Us => ({ public_url, post: postTo(host, port) });

/** Twilio refuses a text that names an address which it cannot reach. */
const statusUrl = ({ public_url }: Config) =>
  /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(public_url).hostname) ? null : `${public_url}/api/texts/status`;

/** Stripe, or the till that stands in for it. */
async function whoTakesPayments({ payments, data_dir, host, port, public_url }: Config, closing: (() => Promise<void>)[]) {
  if (payments !== 'till') return { payments: stripePayments(payments), till: null };
  const till = await openLocalTill({ folder: join(data_dir, 'till'), clock: systemClock, host, port, public_url });
  closing.push(till.close);
  return { payments: stripePayments(till.settings), till };
}

async function embedded(config: Config, log: pino.Logger, closing: (() => Promise<void>)[]): Promise<string> {
  const server = await startEmbedded({
    folder: join(config.data_dir, 'postgres'),
    log: (line: string) => log.info({ postgres: line }, 'postgres'),
  });
  closing.push(server.stop);
  return server.url;
}

function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

main().catch((err: unknown) => {
  if (err instanceof BadConfig) stop(err.message);
  if ((err as NodeJS.ErrnoException).code === 'EADDRINUSE')
    stop('That port is in use by another program. Set PORT to a free one, for example PORT=4381.');
  stop(err instanceof Error ? (err.stack ?? err.message) : String(err));
});
