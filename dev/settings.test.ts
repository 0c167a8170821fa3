import { type ChildProcess, execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from './ports.ts';
import { root } from './root.ts';

/** Runs the real `npm start`; after an error nothing is started or created. */

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function run(script: string, env: Record<string, string>, args: string[] = [], as: { uid?: number; gid?: number } = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const ownEnv = { PATH, HOME: folder, DATA_DIR: join(folder, 'data'), ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) };
    const child: ChildProcess = execFile(
      process.execPath,
      [join(root, 'dev', script), ...args],
      { env: { ...ownEnv, ...env }, ...as },
      (_err, out, err) => resolve({ code: child.exitCode, out, err }),
    );
  });
}

const port = 'PORT should be a number from 1 to 65535, for example 4380.';
const onOff = (name: string) => `${name} should be on or off.`;

const onOffAuto = 'AGENT_SYSTEM should be on, off or auto.';

const wrongSettings: [env: Record<string, string>, said: string][] = [
  [{ PORT: 'abc' }, port],
  [{ PORT: '99999' }, port],
  [{ PORT: '0' }, port],
  [{ HOST: '999.1.1.1' }, 'HOST should be an address of this computer, for example 127.0.0.1, or 0.0.0.0 for all of them.'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV should be development, test or production.'],
  [{ MAIL_FROM: 'ab' }, 'MAIL_FROM should be the sender of every email, for example Porchlight <support@example.org>.'],
  [{ MAIL_FROM: 'notanaddress' }, 'MAIL_FROM should be the sender of every email, for example Porchlight <support@example.org>.'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL should be trace, debug, info, warn, error, fatal or silent.'],
  [{ STMP_URL: 'smtp://mail' }, 'STMP_URL is not a setting of Porchlight. Did you mean SMTP_URL?'],
  [{ smtp_url: 'smtp://mail' }, 'smtp_url is not a setting of Porchlight. Did you mean SMTP_URL?'],
  [{ FEATURE_GAURDIANS: 'off' }, 'FEATURE_GAURDIANS is not a setting of Porchlight. Did you mean FEATURE_GUARDIANS?'],
  [{ DATABASE_CONECTION: '5' }, 'DATABASE_CONECTION is not a setting of Porchlight. Did you mean DATABASE_CONNECTIONS?'],
  [{ SMTP_HOST: 'mail' }, 'SMTP_HOST is not a setting of Porchlight. Beginning with SMTP_ there is: SMTP_URL.'],
  [
    { PUBLIC_URL: 'https://x.example/app' },
    'PUBLIC_URL should be the address people use, without a path, for example https://www.example.org.',
  ],
  [{ PUBLIC_URL: 'www.example.org' }, 'PUBLIC_URL should be the address people use, without a path, for example https://www.example.org.'],
  [{ WINDOWS_CERTIFICATE: root }, 'WINDOWS_CERTIFICATE_PASSWORD_FILE is missing: the file with the password of WINDOWS_CERTIFICATE.'],
  [{ RELEASE_KEY: '/nonexistent/x' }, 'RELEASE_KEY should be the file with your release key. Left out, one is made in DATA_DIR.'],
  [{ AGENT_SYSTEM: 'maybe' }, onOffAuto],
  [
    { DATABASE_URL: 'mysql://nowhere' },
    'DATABASE_URL should be a PostgreSQL address, for example postgres://user:password@host/porchlight.',
  ],
  [{ SECRET_KEY: 'short' }, 'SECRET_KEY should be at least 32 random characters; keep it, the database is sealed with it.'],
  [{ SMTP_URL: 'mail.example.org' }, 'SMTP_URL should be a mail server, for example smtp://user:password@host:587.'],
  [
    { TWILIO_ACCOUNT_SID: 'XX' },
    `TWILIO_ACCOUNT_SID should be the account SID of Twilio, which begins with AC.
TWILIO_AUTH_TOKEN is missing: the auth token of Twilio.
TWILIO_FROM is missing: the number that texts come from, in full, for example +12025550143.`,
  ],
  [
    { STRIPE_SECRET_KEY: 'hello' },
    `STRIPE_SECRET_KEY should be the secret or a restricted key of Stripe, which begins with sk_ or rk_.
STRIPE_WEBHOOK_SECRET is missing: the signing secret of the webhook at Stripe, which begins with whsec_.`,
  ],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY should be off, on, or how many proxies of yours stand one behind the other, for example 2.'],
  [{ FEATURE_SMS: 'true' }, onOff('FEATURE_SMS')],
  [{ VOICE: 'maybe' }, onOff('VOICE')],
  [{ PUSH: 'true' }, 'PUSH should be on, off or mailbox:.'],
  [
    { PUSH_SERVICES: 'push.example.org,127.0.0.1' },
    'PUSH_SERVICES should be hosts of further push services, for example push.example.org,*.push.example.net.',
  ],
  [
    { SITE_LISTS: 'foo' },
    'SITE_LISTS should be off, or default, first and addresses of lists with their format (auto, hosts, adblock, plain, keep for sites that stay open, or young for sites that were registered within 14 days), for example default,https://lists.example.org/scam.txt|hosts.',
  ],
  [
    { SENTRY_DSN: 'abc' },
    'SENTRY_DSN should be the address that Sentry shows for the project, for example https://key@errors.example.org/1.',
  ],
  [
    { PORT: 'abc', NODE_ENV: 'prod', FEATURE_SMS: 'no' },
    `${port}\nNODE_ENV should be development, test or production.\n${onOff('FEATURE_SMS')}`,
  ],
];

describe('[P7.1] a wrong setting causes an error that names it and a right value', () => {
  test.each(wrongSettings)('npm start refuses the settings %j', async (env, message) => {
    expect(await run('start.mjs', env)).toEqual({ code: 1, out: '', err: `${message}\n` });
  });

  test("production without settings names everything that it lacks, the operator's texts included", async () => {
    const { code, err } = await run('start.mjs', { NODE_ENV: 'production' });
    expect([
      code,
      err
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ]).toEqual([
      1,
      [
        ...['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM', 'STRIPE_SECRET_KEY'],
        ...['STRIPE_WEBHOOK_SECRET', 'contract/brand.ts', 'dashboard/terms-of-service.html', 'dashboard/privacy-policy.html'],
      ],
    ]);
  });

  test('the server and the operator’s command parse settings alike', async () => {
    const env = { NODE_ENV: 'prod', STMP_URL: 'x' };
    const message =
      'NODE_ENV should be development, test or production.\nSTMP_URL is not a setting of Porchlight. Did you mean SMTP_URL?\n';
    expect(await run('../server/main.ts', env)).toEqual({ code: 1, out: '', err: message });
    expect(await run('porchlight.mjs', env, ['promo', 'list'])).toEqual({ code: 1, out: '', err: message });
  });

  test("the agent and the installers refuse a wrong value, but do not require the server's settings", async () => {
    expect(await run('installers.mjs', { PORT: 'abc' })).toEqual({ code: 1, out: '', err: `${port}\n` });
    expect(await run('agent.mjs', { AGENT_SYSTEM: 'maybe' })).toEqual({ code: 1, out: '', err: `${onOffAuto}\n` });
    const { err } = await run('installers.mjs', { NODE_ENV: 'production', PUBLIC_URL: `http://127.0.0.1:${await freePort()}` });
    expect(err).toMatch(/^The server at \S+ does not answer\. Start it first/);
  });
});

describe('npm start accepts right settings, and variables of other programs', () => {
  const rightSettings: Record<string, string>[] = [
    { HOST: '::1', PUBLIC_URL: 'https://www.example.org/', MAIL_FROM: 'help@family-care.org' },
    { MAIL_FROM: '"Ann, Example" <ann@family-care.org>', HOST: 'localhost', LOG_LEVEL: 'silent' },
    // Variables of a cluster, a shell and other programs.
    { CHAT_PORT: 'tcp://10.0.0.1:80', PORCHLIGHT_SERVICE_HOST: '10.0.0.1', PATHS: 'x', HOMES: 'x', DATA: 'x', PUBLIC: 'x', NODE_PATH: 'x' },
    { STMP_URL: '' },
  ];
  test.each(rightSettings)('npm start accepts the settings %j', async (env) => {
    const takenPort = await freePort();
    const { createServer } = await import('node:net');
    const otherServer = createServer().listen(takenPort, env.HOST);
    const { err } = await run('start.mjs', { ...env, PORT: String(takenPort) });
    otherServer.close();
    expect(err).toBe(
      `Port ${takenPort} is taken by another program. Stop that one, or choose another port: PORT=${takenPort + 1} npm start\n`,
    );
  });
});

/** Runs as the user `nobody`, because root may do everything. */
const asNobody: { uid?: number; gid: number } = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : { gid: process.getgid?.() ?? 0 };

describe('settings that depend on the computer', () => {
  test('npm start refuses an address that this computer does not have', async () => {
    const { code, err } = await run('start.mjs', { HOST: '203.0.113.7', PORT: String(await freePort()) });
    expect([code, err]).toEqual([
      1,
      'HOST is 203.0.113.7, and this computer has no such address. Set HOST to one that it has, or to 0.0.0.0 for all of them.\n',
    ]);
    expect(
      Object.values(networkInterfaces())
        .flat()
        .map((one) => one?.address),
    ).not.toContain('203.0.113.7');
  });

  test.skipIf(process.platform === 'win32')('npm start refuses a port that only an administrator may use', async () => {
    const DATA_DIR = join(folder, 'nobodys');
    mkdirSync(DATA_DIR, { recursive: true });
    chmodSync(folder, 0o755);
    if (asNobody.uid) chownSync(DATA_DIR, asNobody.uid, asNobody.gid);
    const { code, err } = await run('start.mjs', { DATA_DIR, PORT: '80' }, [], asNobody);
    expect([code, err]).toEqual([
      1,
      'Port 80 needs the rights of an administrator here. Choose one above 1023, such as PORT=4380, and let a proxy in front take port 80.\n',
    ]);
  });

  test('npm start refuses a data folder that is a file', async () => {
    const file = join(folder, 'afile');
    writeFileSync(file, '');
    const { code, err } = await run('start.mjs', { DATA_DIR: file });
    expect([code, err]).toEqual([1, `DATA_DIR is ${file}, and ${file} is a file, not a folder. Set DATA_DIR to a folder.\n`]);
  });

  test.each(['new', ''])('npm start refuses a data folder that belongs to other users: %j', async (subfolder) => {
    const closedFolder = join(folder, 'closed');
    mkdirSync(closedFolder, { recursive: true });
    chmodSync(closedFolder, 0o555);
    chmodSync(folder, 0o755);
    const DATA_DIR = join(closedFolder, subfolder);
    const { code, err } = await run('start.mjs', { DATA_DIR }, [], asNobody);
    expect([code, err]).toEqual([
      1,
      `DATA_DIR is ${DATA_DIR}, and Porchlight may not write there (EACCES). Give the folder to the user who starts Porchlight, or set DATA_DIR to another one.\n`,
    ]);
  });
});

test.each([
  ...['start', 'build', 'serve', 'test', 'check', 'agent', 'installers', 'porchlight', 'definitions', 'drills', 'bench'].map(
    (name) => [name, '--help'] as const,
  ),
  ['start', '-h'] as const,
])('the command npm run %s -- %s prints help and does nothing else', async (name, args) => {
  const { code, out, err } = await run(`${name}.mjs`, { PORT: 'abc' }, [args]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/--/);
});

test('npm run drills with an unknown name prints an error that lists the known drills', async () => {
  const { code, out, err } = await run('drills.mjs', {}, ['nonsense']);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^There is no drill called nonsense\.\n[\s\S]+ kill-server, links, /);
});
