import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { defaultLists } from '@porchlight/definitions/default-lists.ts';
import { readFirstList } from '@porchlight/definitions/first-list.ts';
import { shippedRecognition } from '@porchlight/definitions/shipped.ts';
import { openMailbox } from '@porchlight/simulators/mailbox/mailbox.ts';
import { newShop, openLocalStripe } from '@porchlight/simulators/stripe/local.ts';
import type { StoredCalls } from '@porchlight/simulators/twilio/calls.ts';
import type { OptedOut } from '@porchlight/simulators/twilio/phones.ts';
import { postTo } from '@porchlight/simulators/twilio/post.ts';
import { openTwilioSimulator, type TwilioSimulator, type TwilioStorage, type TwilioTarget } from '@porchlight/simulators/twilio/twilio.ts';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import type { App } from './app-types.ts';
import { realNetwork } from './cli/network.ts';
import { type Config, isLoopback, readConfig, warningsOf } from './config.ts';
import { startEmbedded } from './db/embedded/start.ts';
import { tryDatabase } from './db/first-connection.ts';
import { listen } from './db/listen.ts';
import { migrate } from './db/migrate.ts';
import { type Db, openDb } from './db/open.ts';
import { checkSchema } from './db/schema.ts';
import { openServerDb } from './db/traffic.ts';
import { openMetricsListener } from './features/metrics/listener.ts';
import { processMetrics } from './features/metrics/process-metrics.ts';
import { eventLoopDelay } from './http/event-loop.ts';
import { unreadableHeader, unreadableInWords } from './http/unreadable-callers.ts';
import { installerBuilder } from './installer-builder.ts';
import { internetOnly, listFetcher } from './integrations/lists/fetch-list.ts';
import { smtpMailer } from './integrations/mail/smtp.ts';
import { whyNoMailServer } from './integrations/mail/try-smtp.ts';
import { stripePayments } from './integrations/payments/payments.ts';
import { noSms } from './integrations/sms/sms.ts';
import { twilioSender } from './integrations/sms/twilio.ts';
import { twilioVoice } from './integrations/voice/twilio-voice.ts';
import { noVoice, type VoiceCaller } from './integrations/voice/voice.ts';
import { maxConcurrentMails } from './jobs/lanes.ts';
import { stopwatch, systemClock } from './lib/clock.ts';
import { lockDataFolder } from './lib/data-lock.ts';
import { openLog } from './lib/log.ts';
import { logDestination } from './lib/log-destination.ts';
import { sharedDocument } from './lib/shared-document.ts';
import { whyNotStarted } from './lib/start-failure.ts';
import { storedItems } from './lib/stored-items.ts';
import { openPush } from './open-push.ts';
import { openSimulatorPages } from './open-simulator-pages.ts';
import { operatorSurroundings } from './operator-surroundings.ts';
import { sealer } from './secrets/seal.ts';
import { secretKeyIn } from './secrets/secret-key.ts';
import { BadConfig } from './settings/read.ts';
import { serveGateways, startGateway } from './start-gateway.ts';

/** In milliseconds, for each part after a failed start. */
const close_within = 3_000;

/** The only place that uses process.env, signals and exit. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = openLog(config.log_level, logDestination(config.log_file));
  endOnUncaughtError(log);
  // Such a gateway has neither a database nor files.
  const gateway_nats = config.role === 'gateway' ? config.nats_url : null;
  const isEmbedded = !config.database_url && gateway_nats === null;
  if (gateway_nats === null) await mkdir(config.data_dir, { recursive: true, mode: 0o700 });
  const lock = isEmbedded ? await lockDataFolder(config.data_dir) : null;
  if (isEmbedded && !lock) {
    stop(`Another Porchlight server is already running on ${config.data_dir}. Stop it first, or set DATA_DIR to another folder.`);
  }
  const closers: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of closers.reverse()) await close();
  };
  try {
    if (gateway_nats !== null) await startGateway(config, gateway_nats, log, closers);
    else await serve(config, log, closers);
  } catch (err) {
    // Ending a pool that is still connecting may never resolve.
    for (const close of closers.reverse()) await Promise.race([close().catch(() => {}), sleep(close_within)]);
    throw err;
  }

  let stopping = false;
  const stopNow = () => {
    if (stopping) return;
    stopping = true;
    // The process ends even when a part hangs.
    setTimeout(() => stop('Stopping took longer than 15 seconds, so the server ended itself.'), 15_000).unref();
    closeAll().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stopNow);
  // The parent, `npm start`, has ended.
  process.once('disconnect', stopNow);
  // The parent ended before this listener existed.
  if (process.connected === false) stopNow();
}

/**
 * After an error that no part handled, the state of this process is unknown, so it ends, and its supervisor starts it again. Its PostgreSQL
 * keeps running, and the next start uses it. Node raises unhandled rejections as such errors too.
 */
function endOnUncaughtError(log: Logger): void {
  process.on('uncaughtException', (err, origin) => {
    // Lines are written synchronously, so this one is there before the exit.
    log.fatal({ err, origin }, 'an error that no part handled ends this process');
    process.exit(1);
  });
}

async function serve(config: Config, log: Logger, closers: (() => Promise<void>)[]): Promise<void> {
  const database_url = config.database_url ?? (await embedded(config, log, closers));
  const { shared, urgent, background } = config.connections;
  const max_connections = config.database_url && (await tryDatabase(database_url)).max_connections;
  if (max_connections && shared + urgent + background >= max_connections) {
    log.warn(
      { operator: true },
      `This PostgreSQL allows ${max_connections} connections, and DATABASE_CONNECTIONS, DATABASE_CONNECTIONS_URGENT and DATABASE_CONNECTIONS_JOBS are ${shared + urgent + background} together: lower them, or raise max_connections.`,
    );
  }
  const { db, traffic, close } = openServerDb(database_url, config.connections, stopwatch);
  closers.push(close);
  await migrate(db);
  const added = await checkSchema(db);
  if (added) log.warn({ operator: true }, added);
  const listener = await listen(database_url);
  closers.push(listener.close);

  const simulatorDb = simulatorDatabase(database_url, closers);
  const mailbox = config.smtp_url ? null : await openMailbox(storedItems(simulatorDb(), 'mail'));
  if (mailbox) closers.push(mailbox.close);
  const mailer = smtpMailer(
    config.smtp_url ?? mailbox?.smtp_url ?? '',
    config.mail_from,
    undefined,
    maxConcurrentMails(config.urgent_at_once),
  );
  closers.push(mailer.close);
  const twilioSimulator =
    config.texts === 'mailbox' ? await openTwilioSimulator(await smsStorage(simulatorDb()), serverAddress(config)) : null;
  if (twilioSimulator) closers.push(twilioSimulator.close);
  const smsSender = twilioSimulator
    ? twilioSender(twilioSimulator.account)
    : typeof config.texts === 'object'
      ? twilioSender({ ...config.texts, status_url: statusUrl(config) })
      : noSms;
  closers.push(smsSender.close);
  const voiceCaller = voiceCallerOf(config, twilioSimulator);
  closers.push(voiceCaller.close);

  const ownSealer = sealer(config.secret_key ?? (await secretKeyIn(config.data_dir)));
  const { pushSender, pushSimulator } = await openPush(config, { db, sealer: ownSealer, simulatorDb, closers });

  const { payments, stripeSimulator } = await openPayments(config, simulatorDb, closers);

  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const delay = eventLoopDelay();
  const app = await buildApp(config, {
    db,
    traffic,
    eventLoopDelay: delay.read,
    listener,
    clock: systemClock,
    log,
    sealer: ownSealer,
    integrations: {
      mailer,
      smsSender,
      voiceCaller,
      pushSender,
      payments,
      installerBuilder: config.installers_build ? installerBuilder(config, process.env) : null,
      surroundings: operatorSurroundings(config, database_url, realNetwork),
      fetchList: listFetcher(),
      // The operator's own computer may serve it. Whatever serves it, the signature decides.
      fetchFeed: listFetcher({
        ...internetOnly,
        allowInternal: config.definitions_feed !== null && isLoopback(config.definitions_feed.url),
      }),
    },
    shipped: {
      recognition: shippedRecognition(),
      firstList: readFirstList,
      defaultLists,
      dashboard_dist: new URL('../dashboard/dist', import.meta.url).pathname,
      version,
    },
    processMetrics: processMetrics(),
  });
  closers.push(app.close);
  const { nats_url } = config;
  if (nats_url !== null) serveGateways(config, { nats_url, database_url, listener, polls: app.polls, log }, closers);
  if (config.metrics.port !== null) {
    closers.push((await openMetricsListener({ ...config.metrics, port: config.metrics.port }, app.metrics, log)).close);
    log.info({ port: config.metrics.port }, 'listening for metrics');
  }
  const messages = await openSimulatorPages(config, app.http, { mailbox, twilioSimulator, pushSimulator, stripeSimulator });
  await app.http.listen({ port: config.port, host: config.host, backlog: serverLimits.backlog });
  log.info({ port: config.port }, 'listening');
  const warn = (sentence: string) => log.warn({ operator: true }, sentence);
  for (const warning of warningsOf(config)) warn(warning);
  const unreadable = config.trust_proxy > 0 ? await unreadableHeader(db, systemClock) : null;
  if (unreadable !== null) warn(unreadableInWords(unreadable));
  void warnOfIntegrations(config, app, warn).catch((err: unknown) =>
    log.warn({ err }, 'whether the plans are as people read them is not known'),
  );
  // People who run it for others find the installers there; on a contributor's computer they wait until someone asks.
  if (config.production) void app.requestInstallers().catch((err: unknown) => log.warn({ err }, 'the installers could not be requested'));
  // `npm start` prints the messages itself.
  if (!process.connected) for (const sentence of messages) process.stdout.write(`${sentence}\n`);
}

async function warnOfIntegrations({ smtp_url }: Config, app: App, warn: (sentence: string) => void): Promise<void> {
  const mail = smtp_url ? await whyNoMailServer(smtp_url) : null;
  if (mail) warn(mail);
  for (const statement of await app.wrongPlanStatements()) warn(statement);
}

/** Separate connections: the simulators represent external services, which answer even while all of the server's connections are in use. */
function simulatorDatabase(database_url: string, closers: (() => Promise<void>)[]): () => Db {
  let database: Db | null = null;
  return () => {
    if (database) return database;
    const { db, close } = openDb(database_url, 2);
    closers.push(close);
    database = db;
    return db;
  };
}

const smsStorage = async (db: Db): Promise<TwilioStorage> => ({
  items: storedItems(db, 'text'),
  opted_out: await sharedDocument<OptedOut>(db, 'texts_opted_out', () => ({ numbers: [] })),
  calls: await sharedDocument<StoredCalls>(db, 'phone_calls', () => ({ calls: [] })),
});

/** How the Twilio simulator reaches this server, whose public name may not lead here. */
const serverAddress = ({ public_url, host, port }: Config): TwilioTarget => ({ public_url, post: postTo(host, port) });

function voiceCallerOf({ voice, texts, public_url }: Config, simulator: TwilioSimulator | null): VoiceCaller {
  if (!voice) return noVoice;
  if (simulator) return twilioVoice(simulator.account);
  return typeof texts === 'object' ? twilioVoice({ ...texts, calls_url: `${public_url}/api/calls` }) : noVoice;
}

/** Twilio refuses an SMS with a callback URL that it cannot reach. */
const statusUrl = ({ public_url }: Config) => (isLoopback(public_url) ? null : `${public_url}/api/texts/status`);

async function openPayments({ payments, host, port, public_url }: Config, simulatorDb: () => Db, closers: (() => Promise<void>)[]) {
  if (payments !== 'simulator') return { payments: stripePayments(payments), stripeSimulator: null };
  const stripeSimulator = await openLocalStripe({
    document: await sharedDocument(simulatorDb(), 'test_shop', newShop(systemClock)),
    clock: systemClock,
    host,
    port,
    public_url,
  });
  closers.push(stripeSimulator.close);
  return { payments: stripePayments(stripeSimulator.settings), stripeSimulator };
}

async function embedded(config: Config, log: Logger, closers: (() => Promise<void>)[]): Promise<string> {
  const server = await startEmbedded({
    folder: join(config.data_dir, 'postgres'),
    log: (line: string) => log.info({ postgres: line }, 'postgres'),
  });
  closers.push(server.stop);
  return server.url;
}

function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

main().catch((err: unknown) => {
  stop(err instanceof BadConfig ? err.message : whyNotStarted(err, process.env.DATA_DIR || 'data'));
});
