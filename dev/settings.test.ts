import { type ChildProcess, execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from './ports.ts';
import { root } from './root.ts';

/** Each setting that somebody may get wrong, by the real `npm start`: what it says, at once, and that nothing was started or made. */

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
    const own = { PATH: process.env.PATH, HOME: folder, DATA_DIR: join(folder, 'data') };
    const child: ChildProcess = execFile(
      process.execPath,
      [join(root, 'dev', script), ...args],
      { env: { ...own, ...env }, ...as },
      (_err, out, err) => resolve({ code: child.exitCode, out, err }),
    );
  });
}

const port = 'PORT should be a number from 1 to 65535, for example 4380.';
const onOff = (name: string) => `${name} should be on or off.`;

const wrong: [env: Record<string, string>, said: string][] = [
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
  [{ RELEASE_KEY: '/nonexistent/x' }, 'RELEASE_KEY should be the file with your release key. Left out, one is made in DATA_DIR.'],
  [{ AGENT_SYSTEM: 'maybe' }, onOff('AGENT_SYSTEM')],
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
  [
    { SITE_LISTS: 'foo' },
    'SITE_LISTS should be addresses of lists with their format (auto, hosts, adblock, plain, or keep for sites that stay open), for example https://lists.example.org/scam.txt|hosts.',
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

describe('[P7.1] a wrong setting is named at once, with what would be right', () => {
  test.each(wrong)('%j', async (env, said) => {
    expect(await run('start.mjs', env)).toEqual({ code: 1, out: '', err: `${said}\n` });
  });

  test('production alone names everything that it lacks, the texts of the operator too', async () => {
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

  test('the server and the operator’s command read by the same reader', async () => {
    const env = { NODE_ENV: 'prod', STMP_URL: 'x' };
    const said = 'NODE_ENV should be development, test or production.\nSTMP_URL is not a setting of Porchlight. Did you mean SMTP_URL?\n';
    expect(await run('../server/main.ts', env)).toEqual({ code: 1, out: '', err: said });
    expect(await run('porchlight.mjs', env, ['promo', 'list'])).toEqual({ code: 1, out: '', err: said });
  });

  test('the agent and the installers refuse a wrong value, and do not ask for what only a server needs', async () => {
    expect(await run('installers.mjs', { PORT: 'abc' })).toEqual({ code: 1, out: '', err: `${port}\n` });
    expect(await run('agent.mjs', { AGENT_SYSTEM: 'maybe' })).toEqual({ code: 1, out: '', err: `${onOff('AGENT_SYSTEM')}\n` });
    const { err } = await run('installers.mjs', { NODE_ENV: 'production', PUBLIC_URL: `http://127.0.0.1:${await freePort()}` });
    expect(err).toMatch(/^The server at \S+ does not answer\. Start it first/);
  });
});

describe('what is right, or somebody else’s, is not refused', () => {
  const fine: Record<string, string>[] = [
    { HOST: '::1', PUBLIC_URL: 'https://www.example.org/', MAIL_FROM: 'help@family-care.org' },
    { MAIL_FROM: '"Ann, Example" <ann@family-care.org>', HOST: 'localhost', LOG_LEVEL: 'silent' },
    // Of a cluster, a shell and other programs.
    { CHAT_PORT: 'tcp://10.0.0.1:80', PORCHLIGHT_SERVICE_HOST: '10.0.0.1', PATHS: 'x', HOMES: 'x', DATA: 'x', PUBLIC: 'x', NODE_PATH: 'x' },
    { STMP_URL: '' },
  ];
  test.each(fine)('%j', async (env) => {
    // It gets as far as the port, which another program has.
    const taken = await freePort();
    const { createServer } = await import('node:net');
    const other = createServer().listen(taken, env.HOST);
    const { err } = await run('start.mjs', { ...env, PORT: String(taken) });
    other.close();
    expect(err).toBe(`Port ${taken} is taken by another program. Stop that one, or choose another port: PORT=${taken + 1} npm start\n`);
  });
});

/** Root may everything: as the user `nobody`. */
const asNobody: { uid?: number; gid: number } = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : { gid: process.getgid?.() ?? 0 };

describe('what only the computer knows is named by its setting', () => {
  test('an address that this computer does not have', async () => {
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

  test.skipIf(process.platform === 'win32')('a port that only an administrator may take', async () => {
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

  test('a folder that is a file', async () => {
    const file = join(folder, 'afile');
    writeFileSync(file, '');
    const { code, err } = await run('start.mjs', { DATA_DIR: file });
    expect([code, err]).toEqual([1, `DATA_DIR is ${file}, and ${file} is a file, not a folder. Set DATA_DIR to a folder.\n`]);
  });

  test.each(['new', ''])('a folder that others own: %j', async (below) => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { recursive: true });
    chmodSync(closed, 0o555);
    chmodSync(folder, 0o755);
    const DATA_DIR = join(closed, below);
    const { code, err } = await run('start.mjs', { DATA_DIR }, [], asNobody);
    expect([code, err]).toEqual([
      1,
      `DATA_DIR is ${DATA_DIR}, and Porchlight may not write there (EACCES). Give the folder to the user who starts Porchlight, or set DATA_DIR to another one.\n`,
    ]);
  });
});

test.each([
  ...['start', 'test', 'check', 'agent', 'installers', 'porchlight', 'definitions', 'drills', 'bench'].map(
    (name) => [name, '--help'] as const,
  ),
  ['start', '-h'] as const,
])('npm run %s -- %s says what it does, and does nothing', async (name, asked) => {
  const { code, out, err } = await run(`${name}.mjs`, { PORT: 'abc' }, [asked]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/--/);
});

test('a drill that is not there is named, with those that are', async () => {
  const { code, out, err } = await run('drills.mjs', {}, ['nonsense']);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^There is no drill called nonsense\.\n[\s\S]+ kill-server, links, /);
});
