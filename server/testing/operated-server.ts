import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKeyPair } from '@porchlight/definitions/signature.ts';
import { type Mailbox, openMailbox } from '@porchlight/simulators/mailbox/mailbox.ts';
import { documentInMemory } from '@porchlight/simulators/testing/stored.ts';
import { openTwilioSimulator } from '@porchlight/simulators/twilio/twilio.ts';
import type { Network } from '../cli/network.ts';
import { type CommandResult, runCommand } from '../cli/run.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { storedItems } from '../lib/stored-items.ts';
import { openTlsFront } from './tls-front.ts';
import { type TestServer, testServer } from './world.ts';

interface RunOptions {
  env?: Record<string, string>;
  clock?: Clock;
  network?: Partial<Network>;
}

interface ReadCheck {
  id: string;
  state: string;
  text: string;
}

export interface OperatedServer {
  server: TestServer;
  mailbox: Mailbox;
  data_dir: string;
  env: Record<string, string>;
  front: Awaited<ReturnType<typeof openTlsFront>>;
  run(args: string[], options?: RunOptions): Promise<CommandResult>;
  /** The checks of the command doctor by their ids. */
  checks(args?: string[], options?: RunOptions): Promise<Map<string, ReadCheck>>;
  close(): Promise<void>;
}

/** A server as an operator sets it up: its own PostgreSQL, mail server, Twilio and Stripe, behind a proxy with a certificate. */
export async function operatedServer(): Promise<OperatedServer> {
  const front = await openTlsFront('porchlight.test');
  const server = await testServer({ PUBLIC_URL: front.url });
  const mailbox = await openMailbox(storedItems(server.db, 'mail'));
  const twilio = await openTwilioSimulator(
    { items: storedItems(server.db, 'text'), opted_out: documentInMemory({ numbers: [] }), calls: documentInMemory({ calls: [] }) },
    { public_url: front.url, post: async () => ({ status: 200, body: '' }) },
    { timers: false },
  );
  const data_dir = await mkdtemp(join(tmpdir(), 'operated-'));
  await writeFile(join(data_dir, 'release-key.json'), JSON.stringify(newKeyPair()), { mode: 0o600 });
  for (const file of ['porchlight.exe', 'porchlight.pkg', 'porchlight.deb']) await writeFile(join(data_dir, file), 'an installer');
  await passOnTo(server, front);
  const stripe = server.stripeSimulator.settings;
  const env = {
    DATABASE_URL: server.database_url,
    DATA_DIR: data_dir,
    INSTALLERS_DIR: data_dir,
    SECRET_KEY: 'a secret key for tests, thirty-two characters',
    PUBLIC_URL: front.url,
    TRUST_PROXY: 'on',
    SITE_LISTS: 'off',
    SMTP_URL: mailbox.smtp_url,
    MAIL_FROM: 'Porchlight <help@family-care.org>',
    TWILIO_ACCOUNT_SID: twilio.account.account_sid,
    TWILIO_AUTH_TOKEN: twilio.account.auth_token,
    TWILIO_FROM: twilio.account.from,
    TWILIO_API_BASE: twilio.account.api_base,
    STRIPE_SECRET_KEY: stripe.secret_key,
    STRIPE_WEBHOOK_SECRET: stripe.webhook_secret,
    STRIPE_API_BASE: stripe.api_base,
  };
  const network: Network = {
    addressesOf: async () => ['127.0.0.1'],
    txtOf: async (name) => (name.startsWith('_dmarc.') ? ['v=DMARC1; p=reject'] : ['v=spf1 -all']),
    authorities: [front.cert],
    limits: { check: 10_000, close: 5_000 },
  };
  const run: OperatedServer['run'] = (args, options = {}) =>
    runCommand(args, () => ({ ...env, ...options.env }), options.clock ?? systemClock, { ...network, ...options.network });
  return {
    ...{ server, mailbox, data_dir, env, front, run },
    async checks(args = [], options = {}) {
      const { out, err } = await run(['doctor', '--json', ...args], options);
      if (err) throw new Error(err);
      const { checks } = JSON.parse(out) as { checks: ReadCheck[] };
      return new Map(checks.map((check) => [check.id, check]));
    },
    async close() {
      await twilio.close();
      await mailbox.close();
      await server.close();
      await front.close();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

/** The dashboard of a test server is not built, so its page has only the settings. */
async function passOnTo({ app, db, config }: TestServer, front: OperatedServer['front']): Promise<void> {
  const push = await db.selectFrom('server_keys').select('public_key').where('purpose', '=', 'push').executeTakeFirst();
  const page = `<script type="application/json" id="config">${JSON.stringify({ host: config.public_url, push: push ? { ...push, simulator: null } : null })}</script>`;
  front.answerBy(async (path) => {
    if (path === '/dashboard') return { status: 200, body: page };
    const { statusCode: status, body } = await app.http.inject({ url: path });
    return { status, body };
  });
}

/** Rejects as Node's resolver does. `code`: such as `ENOTFOUND`. */
export const failingDns = (code: string) => async (): Promise<string[]> => {
  throw Object.assign(new Error(code), { code });
};
