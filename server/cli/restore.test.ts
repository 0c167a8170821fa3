// Tier: whole. It restores whole backups, and migrates each.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createZstdDecompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { backupWorld, query, testSecret } from '../testing/backup-world.ts';
import { rowHashes } from '../testing/row-hashes.ts';

/** What can be read of a file, up to the first error. */
async function decompressed(bytes: Buffer): Promise<string> {
  const chunks: Buffer[] = [];
  const stream = createZstdDecompress();
  stream.end(bytes);
  try {
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  } catch {
    return '';
  }
}

const { run, passphraseArgs, url, path, backups, emptyDatabase, backup, restored } = backupWorld();

describe('[P14.1] a restore changes everything or nothing', () => {
  test('it refuses a database with accounts unless it may replace them, and says how many there are', async () => {
    const file = await backup();
    const other = await emptyDatabase();
    await restored(other, file);
    await query(other, `update accounts set name = 'Another'`);
    const before = await rowHashes(other, { all: true });
    expect(await restored(other, file)).toEqual({
      code: 1,
      out: '',
      err: 'This database has 1 account, and a restore takes their place for good. Make a backup of it first, then restore with --replace.\n',
    });
    expect(await rowHashes(other, { all: true })).toEqual(before);
    expect((await restored(other, file, '--replace')).code).toBe(0);
    expect(await rowHashes(other)).toEqual(await rowHashes(url()));
  });

  test('it refuses a database that a server uses', async () => {
    const file = await backup();
    const before = await rowHashes(url(), { all: true });
    expect(await restored(url(), file, '--replace')).toEqual({
      code: 1,
      out: '',
      err: 'A Porchlight server or command uses this database. Stop it first, and restore again.\n',
    });
    expect(await rowHashes(url(), { all: true })).toEqual(before);
  });

  test('it refuses a database of another program, and takes back one of a newer version', async () => {
    const file = await backup();
    const foreign = await emptyDatabase();
    await query(foreign, 'create table wiki (page text)');
    expect((await restored(foreign, file, '--replace')).err).toMatch(/^This database has tables of another program\./);
    expect(await query(foreign, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([{ tablename: 'wiki' }]);

    const newer = await emptyDatabase();
    await restored(newer, file);
    await query(newer, `insert into kysely_migration (name, timestamp) values ('9999-of-a-newer-version 0123456789abcdef', '2030')`);
    await query(newer, 'create table of_a_newer_version (account uuid references accounts)');
    expect(await restored(newer, file, '--replace')).toMatchObject({ code: 0, err: '' });
    expect(await rowHashes(newer)).toEqual(await rowHashes(url()));
    expect((await run({ DATABASE_URL: newer }, 'account', 'show', '--email', 'nobody@example.org')).err).toMatch(/^There is no account/);
  });

  test('what an operator added is left out by name, and every row of ours is there', async () => {
    const own = await emptyDatabase();
    await restored(own, await backup());
    await query(
      own,
      `alter table accounts add column note text not null default 'x'; create index of_the_operator on accounts (note);
       create table notes (id integer generated always as identity, line text); insert into notes (line) values ('a'), ('b');
       create table "Notes 2" (line text); alter table devices add column "My note" text`,
    );
    const before = await rowHashes(url());
    const copied = await run({ DATABASE_URL: own, SECRET_KEY: testSecret }, 'backup', '--to', path('own'), '--without-keys');
    expect(copied).toMatchObject({ code: 0, err: '' });
    const other = await emptyDatabase();
    const { code, out, err } = await run({ DATABASE_URL: other, SECRET_KEY: testSecret }, 'restore', path('own'));
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Left out, because Porchlight did not make it: the column accounts.note, the table notes.\n');
    expect(await rowHashes(other)).toEqual(before);
    expect((await run({ DATABASE_URL: other }, 'doctor', '--json')).out).toMatch(/"id": ?"database.tables",\s*"state": ?"ok"/);
    const untouched = await restored(await emptyDatabase(), await backup());
    expect(untouched).toMatchObject({ code: 0, out: expect.not.stringContaining('Left out') });
  });

  test('it refuses a backup of a newer version, of another text of the tables, from before 1.0, with another passphrase and another SECRET_KEY, and says what to do', async () => {
    const file = await backup();
    const other = await emptyDatabase();
    expect(await run({ DATABASE_URL: other }, 'restore', file)).toMatchObject({
      code: 1,
      err: `This computer does not have the SECRET_KEY of ${file}. It is in the backup: say --passphrase-file FILE.\n`,
    });
    expect(await run({ DATABASE_URL: other, SECRET_KEY: 'x'.repeat(32) }, 'restore', file, ...passphraseArgs())).toMatchObject({
      code: 1,
      err: `SECRET_KEY is not the key of ${file}. Set it to that one, which "backup keys" takes out, or leave it out.\n`,
    });
    const lines = zstdDecompressSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n');
    const header = JSON.parse(lines[0] ?? '') as { migrations: string[]; program: string };
    const sealedWith = async (changed: { program: string; migrations: string[] }) => {
      lines[0] = JSON.stringify({ ...header, ...changed });
      const end = JSON.parse(lines.at(-1) ?? '') as { end: { sha256: string } };
      end.end.sha256 = createHash('sha256')
        .update(`${lines.slice(0, -1).join('\n')}\n`)
        .digest('hex');
      lines[lines.length - 1] = JSON.stringify(end);
      await writeFile(file, zstdCompressSync(`${lines.join('\n')}\n`));
    };
    for (const [program, migrations, why] of [
      [
        '2.0.0',
        [...header.migrations, '9999-of-a-newer-version 0123456789abcdef'],
        'Porchlight 2.0.0, whose tables this version does not know. Restore it with that version or a newer one.',
      ],
      [
        '1.0.1',
        ['0001-first 0123456789abcdef'],
        'Porchlight 1.0.1, with tables by another text of 0001-first than this version has. Restore it with the Porchlight that wrote it.',
      ],
      [
        '0.9.0',
        ['0001-first', '0002-accounts'],
        'a Porchlight from before 1.0, and no later version can use its tables. It cannot be restored.',
      ],
    ] as const) {
      await sealedWith({ program, migrations: [...migrations] });
      expect(await restored(other, file)).toMatchObject({ code: 1, err: `${file} was written by ${why}\n` });
    }
    expect(await query(other, "select nspname from pg_namespace where nspname = 'porchlight_restore'")).toEqual([]);
    expect(await query(other, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([]);
  });

  test('the previous key is put aside for the one of the backup, and another SECRET_KEY without the passphrase is refused', async () => {
    const file = await backup();
    const other = await emptyDatabase();
    await mkdir(path('data'));
    await writeFile(join(path('data'), 'secret.key'), 'z'.repeat(43));
    expect((await run({ DATABASE_URL: other }, 'restore', file)).err).toMatch(/^This computer does not have the SECRET_KEY of /);
    const { code, out } = await restored(other, file);
    expect(code).toBe(0);
    const [, former = ''] = /secret\.key is SECRET_KEY of the backup; the one before is in (\S+)\.\n/.exec(out) ?? [];
    expect(await readFile(former, 'utf8')).toBe('z'.repeat(43));
    expect(await readFile(join(path('data'), 'secret.key'), 'utf8')).toBe(testSecret);
    expect((await stat(join(path('data'), 'secret.key'))).mode & 0o777).toBe(0o600);
    expect((await run({ DATABASE_URL: other }, 'restore', file, '--replace')).out).not.toContain('secret.key is');
  });

  test('a file that was changed or cut off anywhere is refused unless its content is whole, and the database stays as it was', async () => {
    const file = await backup();
    const bytes = await readFile(file);
    const content = await decompressed(bytes);
    const other = await emptyDatabase();
    await restored(other, file);
    const before = await rowHashes(other, { all: true });
    const changedFile = path('changed.backup');
    let refused = 0;
    for (let n = 0; n < 100; n++) {
      const place = Math.floor((n * (bytes.length - 1)) / 99);
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 0x41;
      for (const damaged of [changed, bytes.subarray(0, place)]) {
        await writeFile(changedFile, damaged);
        const { code, err } = await run({}, 'backup', 'check', changedFile);
        // Some bytes of the compression mean nothing, such as its last ones.
        const isWhole = (await decompressed(damaged)) === content;
        expect([code, err]).toEqual(isWhole ? [0, ''] : [1, `${changedFile} is damaged or no backup. Take the backup before it.\n`]);
        if (isWhole) continue;
        refused++;
        if (n % 20 === 10) expect((await restored(other, changedFile, '--replace')).err).toBe(err);
      }
    }
    expect(refused).toBeGreaterThan(180);
    expect(await rowHashes(other, { all: true })).toEqual(before);
    expect((await run({}, 'backup', 'check', file)).out).toMatch(
      / is whole: [\d,]+ rows, written .* UTC by Porchlight \S+, with keys\.\n$/,
    );
  });

  test('the newest whole backup of a folder is restored, and the broken ones are named', async () => {
    const file = await backup();
    const newer = join(backups(), 'porchlight-2999-01-01T00-00-00Z.backup');
    await writeFile(newer, (await readFile(file)).subarray(0, 1000));
    const other = await emptyDatabase();
    const { code, out } = await restored(other, backups());
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe(`Passed over: ${newer} is damaged or no backup. Take the backup before it.`);
    expect(out).toContain(` from ${file}, written `);
    await rm(file);
    expect(await restored(other, backups(), '--replace')).toMatchObject({ code: 1 });
  });
});
