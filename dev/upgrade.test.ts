// Tier: whole. It starts servers of several versions on one data folder, one after the other.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@porchlight/server/db/embedded/start.ts';
import { sha256OfMigration } from '@porchlight/server/db/migrations.ts';
import { openDb } from '@porchlight/server/db/open.ts';
import { admin } from '@porchlight/server/testing/global-setup.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { call } from './call.ts';
import { copyOfTree, treeOfCommit } from './copy-of-tree.ts';
import { type LiveData, makeLiveData } from './live-data.ts';
import { root } from './root.ts';
import { startWorld } from './world.ts';

const git = (...args: string[]) => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
};
/** The commit before what is tested: HEAD itself where files differ from it. Null without a repository. */
const commitBefore = git('rev-parse', '--verify', git('status', '--porcelain') ? 'HEAD' : 'HEAD~1');
if (!commitBefore) console.log('Left out: the upgrade from the commit before, because there is no Git repository that has it.');

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-upgrade-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Starts this version, or that of another copy of the sources, on the folder; `use` gets its address and the URL of its database. */
async function served<T>(dataDir: string, tree: string | null, use: (url: string, databaseUrl: string) => Promise<T>): Promise<T> {
  const world = await startWorld({ dataDir, ...(tree ? { tree } : {}) });
  try {
    return await use(world.url, await world.databaseUrl());
  } finally {
    await world.close();
  }
}

/** Everything is there and works: the password and the open session, the device with its alert, and the agent's token. */
async function expectLiveData(url: string, { email, password, token, device, agent_token, detection }: LiveData): Promise<void> {
  const { web_token } = await call(url, 'POST /login/web', { body: { email, password } });
  for (const session of [token, web_token])
    expect(await call(url, 'GET /web/devices', { token: session })).toMatchObject({ devices: [{ uuid: device, name: 'Den PC' }] });
  expect(await call(url, 'GET /web/detections/:id', { token, params: { id: detection } })).toMatchObject({
    device_id: device,
    info: { name: 'AnyDesk', blocked: true },
  });
  expect(await call(url, 'GET /web/guardians', { token })).toMatchObject({ guardians: [{ name: 'Bob' }] });
  expect(await call(url, 'GET /agent/policy', { token: agent_token })).toHaveProperty('policy');
}

/** `porchlight` of this version or of a copy: what it printed as errors, and its exit code. */
function porchlight(tree: string, env: Record<string, string>, ...args: string[]) {
  const { PATH, HOME, TMPDIR } = process.env;
  const command = ['--disable-warning=ExperimentalWarning', join(tree, 'server', 'cli', 'main.ts'), ...args];
  const { status, stderr } = spawnSync(process.execPath, command, {
    cwd: tree,
    encoding: 'utf8',
    env: { PATH, HOME, TMPDIR, ...env },
  });
  return [stderr, status];
}

test.skipIf(!commitBefore)('a data folder of the commit before is upgraded at the start, and everybody goes on', async () => {
  const tree = await treeOfCommit(commitBefore ?? '');
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  const folder = newFolder();
  const script = ['--disable-warning=ExperimentalWarning', join(tree, 'dev', 'live-data.ts'), folder];
  const live = JSON.parse(execFileSync(process.execPath, script, { cwd: tree, encoding: 'utf8' })) as LiveData;
  await served(folder, null, (url) => expectLiveData(url, live));
});

describe('an upgrade that changes the tables', () => {
  let live: LiveData;
  let newer = '';
  let original = '';
  const copies: string[] = [];
  beforeAll(async () => {
    original = mkdtempSync(join(tmpdir(), 'porchlight-upgrade-'));
    live = await makeLiveData(original);
    newer = await copyOfTree();
    copies.push(original, newer);
    const text = 'alter table accounts add column note text;\nupdate accounts set note = name;\n';
    writeFileSync(join(newer, 'server', 'db', 'migrations', '0099-note.sql'), text);
    changeIn(newer, 'server/db/migrations.ts', /\n};/, `\n  '0099-note': '${sha256OfMigration(text)}',\n};`);
    appendFileSync(join(newer, 'server', 'db', 'schema.txt'), 'column accounts.note: text\n');
  });
  afterAll(() => copies.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  const changeIn = (tree: string, file: string, from: RegExp, to: string) => {
    const text = readFileSync(join(tree, file), 'utf8');
    expect(text).toMatch(from);
    writeFileSync(join(tree, file), text.replace(from, to));
  };
  /** The data of this version, as often as it is needed. */
  const dataOfThisVersion = () => {
    const folder = newFolder();
    // With the owner: PostgreSQL may run as another user.
    execFileSync('cp', ['-Rp', `${original}/.`, folder]);
    return folder;
  };
  const notes = async (databaseUrl: string) => {
    const { db, close } = openDb(databaseUrl, 1);
    try {
      const rows = await db.selectFrom('accounts').selectAll().execute();
      return rows.map((row) => (row as unknown as { note?: string }).note);
    } finally {
      await close();
    }
  };

  test('runs at the first start, where everybody goes on; then the version before refuses in words, and changes nothing', async () => {
    const folder = dataOfThisVersion();
    await served(folder, newer, async (url, databaseUrl) => {
      await expectLiveData(url, live);
      expect(await notes(databaseUrl)).toEqual(['Ann Example']);
    });
    await expect(served(folder, null, async () => {})).rejects.toThrow(
      'A newer Porchlight has changed this database (0099-note), and this one does not know it.',
    );
    await served(folder, newer, (url) => expectLiveData(url, live));
  });

  test('also runs over a backup of the version before, when the newer one restores it', async () => {
    const [folder, backups, restored] = [dataOfThisVersion(), newFolder(), newFolder()];
    expect(porchlight(root, { DATA_DIR: folder }, 'backup', '--to', backups, '--without-keys')).toEqual(['', 0]);
    cpSync(join(folder, 'secret.key'), join(restored, 'secret.key'));
    expect(porchlight(newer, { DATA_DIR: restored }, 'restore', backups)).toEqual(['', 0]);
    await served(restored, newer, async (url, databaseUrl) => {
      await expectLiveData(url, live);
      expect(await notes(databaseUrl)).toEqual(['Ann Example']);
    });
  });

  test('is not the only thing that changes them: a lost index is refused at the start and by commands, an added one is a warning', async () => {
    const folder = dataOfThisVersion();
    await served(folder, null, (_, databaseUrl) =>
      admin(databaseUrl, 'drop index accounts_phone; create index of_the_operator on accounts (created)'),
    );
    const missing = 'the index accounts.accounts_phone is missing';
    await expect(served(folder, null, async () => {})).rejects.toThrow(missing);
    expect(porchlight(root, { DATA_DIR: folder }, 'promo', 'list')).toEqual([expect.stringContaining(missing), 1]);
    const { url, stop } = await startEmbedded({ folder: join(folder, 'postgres'), log: () => {} });
    await admin(url, 'create index accounts_phone on accounts (phone_number) where phone_number is not null').finally(stop);
    await served(folder, null, (url) => expectLiveData(url, live));
    const log = readFileSync(join(folder, 'logs', 'server.log'), 'utf8');
    expect(log).toContain('This database has what Porchlight did not make: the index accounts.of_the_operator.');
  });

  test('refuses to start with a migration that was edited, by its file and, where its hash was edited too, by the database', async () => {
    const [folder, edited] = [dataOfThisVersion(), await copyOfTree()];
    copies.push(edited);
    appendFileSync(join(edited, 'server', 'db', 'migrations', '0001-first.sql'), 'create table notes (line text);\n');
    const started = () => served(folder, edited, async () => {});
    const fresh = newFolder();
    await expect(served(fresh, edited, async () => {})).rejects.toThrow('0001-first.sql is not the file of this version');
    const sha256 = sha256OfMigration(readFileSync(join(edited, 'server', 'db', 'migrations', '0001-first.sql'), 'utf8'));
    changeIn(edited, 'server/db/migrations.ts', /'0001-first': '\w+'/, `'0001-first': '${sha256}'`);
    await expect(started()).rejects.toThrow('This database has tables by another text of 0001-first than this version has.');
    await served(folder, null, (url) => expectLiveData(url, live));
  });
});
