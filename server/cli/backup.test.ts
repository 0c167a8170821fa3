// Tier: whole. It starts commands as processes.

import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { hour } from '@porchlight/contract/time.ts';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { migrate } from '../db/migrate.ts';
import { openDb } from '../db/open.ts';
import { backupWorld, query, testSecret } from '../testing/backup-world.ts';
import { untilItWaits } from '../testing/command.ts';
import { rowHashes } from '../testing/row-hashes.ts';

const { clock, run, passphraseArgs, ofServer, url, path, backups, emptyDatabase, backup, restored } = backupWorld();

describe('[P14.1] one file has the whole database and the keys', () => {
  test('a restore on a new computer has every row, the key in its own file, and a higher epoch', async () => {
    const file = await backup();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const before = await rowHashes(url());
    expect(Object.values(before).filter((hash) => !hash.startsWith('0 ')).length).toBeGreaterThan(20);
    const other = await emptyDatabase();

    expect(await restored(other, file)).toMatchObject({ code: 0, err: '' });

    expect(await rowHashes(other)).toEqual(before);
    expect(await readFile(join(path('data'), 'secret.key'), 'utf8')).toBe(testSecret);
    const epochOf = async (database: string) =>
      (await query<{ epoch: string }>(database, 'select epoch from feed_keys order by epoch desc, version desc limit 1'))[0]?.epoch;
    expect(Number(await epochOf(other))).toBeGreaterThan(Number(await epochOf(url())));
    const opened = await run({ DATABASE_URL: other }, 'keys', 'rotate-policy');
    expect(opened).toMatchObject({ code: 0, err: '' });
  });

  test('a backup is of one moment while rows are written, and writers do not wait for it', async () => {
    const source = await emptyDatabase();
    const { db, close } = openDb(source, 4);
    const locker = new pg.Client({ connectionString: source });
    locker.on('error', () => {});
    try {
      await migrate(db);
      const write = (name: string) =>
        db.transaction().execute(async (trx) => {
          await trx.insertInto('buckets').values({ name, level: 1, time: new Date() }).execute();
          await trx.insertInto('rate_counts').values({ key: name, count: 1, ends: new Date() }).execute();
        });
      await write('before');
      // It is read after `buckets` and before `rate_counts`, because none of the three refers to another table.
      await locker.connect();
      await locker.query('begin');
      await locker.query('lock table code_callers in access exclusive mode');
      const result = run({ DATABASE_URL: source, SECRET_KEY: testSecret }, 'backup', '--to', backups(), '--without-keys');
      await untilItWaits(result, locker, 'code_callers');
      for (const n of [1, 2, 3]) await write(`meanwhile ${n}`);
      await locker.query('rollback');
      expect(await result).toMatchObject({ code: 0, err: '' });
    } finally {
      await locker.end();
      await close();
    }
    const other = await emptyDatabase();
    expect(await run({ DATABASE_URL: other, SECRET_KEY: testSecret }, 'restore', backups())).toMatchObject({ code: 0, err: '' });
    expect(await query(other, 'select name from buckets')).toEqual([{ name: 'before' }]);
    expect(await query(other, 'select key from rate_counts')).toEqual([{ key: 'before' }]);
  });

  test('identity columns go on after the last number that was given', async () => {
    const [identity] = await query<{ table: string; column: string }>(
      url(),
      `select attrelid::regclass::text as table, attname as column from pg_attribute where attidentity <> '' and attrelid::regclass::text !~ '\\.'`,
    );
    await query(url(), `select setval(pg_get_serial_sequence('${identity?.table}', '${identity?.column}'), 4711)`);
    const other = await emptyDatabase();
    await restored(other, await backup());
    expect(await query(other, `select nextval(pg_get_serial_sequence('${identity?.table}', '${identity?.column}')) as next`)).toEqual([
      { next: '4712' },
    ]);
  });

  test('without keys a backup has none in it, and is restored where SECRET_KEY is', async () => {
    const file = await backup('--without-keys');
    const other = await emptyDatabase();
    expect(await run({ DATABASE_URL: other }, 'restore', file)).toEqual({
      code: 1,
      out: '',
      err: `${file} was made without keys, and this computer does not have the SECRET_KEY that belongs to it. Set SECRET_KEY to that one, and restore again.\n`,
    });
    expect((await run({ DATABASE_URL: other, SECRET_KEY: testSecret }, 'restore', file)).code).toBe(0);
    expect(await rowHashes(other)).toEqual(await rowHashes(url()));
    expect(await readdir(path('data')).catch(() => [])).toEqual([]);
  });

  test('the keys are in the file only under the passphrase, and are taken out with it', async () => {
    await writeFile(path('release.json'), '{"public_key":"a","private_key":"the release key"}');
    const env = { ...ofServer(), RELEASE_KEY: path('release.json') };
    const { out } = await run(env, 'backup', '--to', backups(), ...passphraseArgs());
    const file = /^\S+\.backup/.exec(out)?.[0] ?? '';
    const text = zstdDecompressSync(await readFile(file)).toString();
    expect(text.startsWith('{"porchlight_backup":1,')).toBe(true);
    for (const hidden of [testSecret, 'the release key', 'five random words']) expect(text).not.toContain(hidden);
    expect(text).toContain('Ann Example');

    const keysFolder = path('keys');
    expect((await run({}, 'backup', 'keys', file, ...passphraseArgs(), '--to', keysFolder)).code).toBe(0);
    expect(await readFile(join(keysFolder, 'secret.key'), 'utf8')).toBe(testSecret);
    expect(await readFile(join(keysFolder, 'release-key.json'), 'utf8')).toContain('the release key');
    await writeFile(path('passphrase'), 'another passphrase');
    expect(await run({}, 'backup', 'keys', file, ...passphraseArgs(), '--to', keysFolder)).toMatchObject({
      code: 1,
      err: `The passphrase in ${path('passphrase')} is not the one that ${file} was sealed with.\n`,
    });
  });
});

describe('[P14.1] the folder of backups', () => {
  test('only the newest are left, half-written ones of an hour ago are removed, and other files stay', async () => {
    await backup();
    const old = ['2020-01-01T00-00-00Z', '2020-01-02T00-00-00Z', '2020-01-03T00-00-00Z'].map((time) => `porchlight-${time}.backup`);
    for (const name of old) await writeFile(join(backups(), name), '');
    const [abandoned, growing] = ['.porchlight-2020-01-01T00-00-00Z.backup.partial-1', '.porchlight-2020-01-01T00-00-00Z.backup.partial-2'];
    for (const name of ['notes.txt', abandoned, growing]) await writeFile(join(backups(), name), '');
    const changed = (name: string, before: number) => utimes(join(backups(), name), clock.now(), new Date(clock.now().getTime() - before));
    await changed(abandoned, 2 * hour);
    await changed(growing, hour / 2);
    const [first] = (await readdir(backups())).filter((name) => name.startsWith('porchlight-2') && !old.includes(name));

    const { code } = await run(ofServer(), 'backup', '--to', backups(), '--without-keys', '--keep', '3');
    expect(code).toBe(0);
    const names = await readdir(backups());
    expect(names).toEqual(expect.arrayContaining(['notes.txt', growing, first, 'porchlight-2020-01-03T00-00-00Z.backup']));
    expect(names).toHaveLength(5);
  });

  test('a full disk leaves the earlier backups, and says so', async ({ skip }) => {
    const small = path('small');
    await mkdir(small);
    // The kernel removes the mount with its namespace, however this test ends.
    const script = `mount -t tmpfs -o size=64k tmpfs "$1" || exit 99
      echo 'the one before' > "$1/porchlight-2020-01-01T00-00-00Z.backup"; head -c 56000 /dev/zero > "$1/fill"
      "$2" --disable-warning=ExperimentalWarning "$3" backup --to "$1" --without-keys --keep 1; code=$?
      ls -A "$1"; exit $code`;
    const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
    const unshareArgs = ['--mount', '--propagation', 'private', 'sh', '-c', script, '-', small, process.execPath, entry];
    const { PATH, HOME } = process.env;
    const { status, stdout, stderr } = spawnSync('unshare', unshareArgs, {
      env: { PATH, HOME, DATA_DIR: path('data'), ...ofServer() },
      encoding: 'utf8',
    });
    if (status === 99 || status === null || /Operation not permitted/.test(stderr)) skip('only root may mount a small disk');
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: 'fill\nporchlight-2020-01-01T00-00-00Z.backup\n',
      stderr: `The disk with ${small} is full, so there is no new backup; the earlier ones are as they were. Make room, and make it again.\n`,
    });
  });

  test('a folder that is a file, and one where nobody may write, are named with what to do', async () => {
    await writeFile(backups(), '');
    const failed = (folder: string) => run(ofServer(), 'backup', '--to', folder, '--without-keys');
    expect(await failed(backups())).toEqual({
      code: 1,
      out: '',
      err: `${backups()} is a file, not a folder. Name another one with --to.\n`,
    });
    if (process.platform !== 'linux') return;
    // Nobody makes folders there, not even root.
    expect((await failed('/sys/backups')).err).toMatch(
      /^This user may not write to \/sys\/backups \(E\w+\)\. Give it the folder, or name another one with --to\.\n$/,
    );
  });

  test.each([
    [['backup'], 'Say where the backup is put, with --to FOLDER.'],
    [['backup', '--to', 'x'], 'Say either --passphrase-file FILE, so that the keys of this server are in the backup, or --without-keys.'],
    [['backup', '--to', 'x', '--without-keys', '--keep', '0'], '--keep should be a whole number from 1 to 100000, for example --keep 5.'],
    [['backup', 'check'], 'Say which file, as in backup check FILE.'],
    [['restore'], 'Say which backup, as in restore FILE, or restore FOLDER for the newest one.'],
    [['restore', '/nowhere'], '/nowhere cannot be read; check the name.'],
  ])('the command %j is answered with what to type', async (args, message) => {
    expect(await run(ofServer(), ...args)).toEqual({ code: 2, out: '', err: `${message}\n` });
  });

  test('a short passphrase, and a SECRET_KEY that is not of this server, are refused', async () => {
    await writeFile(path('passphrase'), 'short\n');
    expect((await run(ofServer(), 'backup', '--to', backups(), ...passphraseArgs())).err).toBe(
      `The passphrase in ${path('passphrase')} needs at least 12 characters; five random words are good.\n`,
    );
    const env = { DATABASE_URL: url() };
    expect((await run({ ...env, SECRET_KEY: 'y'.repeat(32) }, 'backup', '--to', backups(), '--without-keys')).err).toMatch(
      /^SECRET_KEY does not open the keys in this database/,
    );
    expect((await run(env, 'backup', '--to', backups(), '--without-keys')).err).toMatch(/^There is no SECRET_KEY, and no file /);
    expect(await readdir(backups()).catch(() => [])).toEqual([]);
  });
});
