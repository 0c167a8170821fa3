// Tier: whole. It restores whole backups.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { authenticatorApp } from '../testing/authenticator-app.ts';
import { testSecret } from '../testing/backup-world.ts';
import { admin, withDatabase } from '../testing/global-setup.ts';
import { fakeAddress, goodPassword, newcomer, type TestServer, testServer } from '../testing/world.ts';
import { runCommand } from './run.ts';

const name = `test_${randomBytes(6).toString('hex')}`;
const url = () => withDatabase(inject('postgres_url'), name);
let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await testServer();
  folder = await mkdtemp(join(tmpdir(), 'porchlight-backup-'));
  await writeFile(join(folder, 'passphrase'), 'five random words in a file\n');
  await admin(inject('postgres_url'), `create database ${name}`);
});
afterAll(async () => {
  await server.close();
  await admin(inject('postgres_url'), `drop database ${name} with (force)`);
  await rm(folder, { recursive: true, force: true });
});

const run = (DATABASE_URL: string, ...args: string[]) => {
  const settings = () => ({ DATABASE_URL, DATA_DIR: join(folder, 'data'), SECRET_KEY: testSecret });
  return runCommand([...args, '--passphrase-file', join(folder, 'passphrase')], settings, server.clock);
};

test('after a restore the same authenticator app and the unused recovery codes log in, and the backup shows neither', async () => {
  const { email, token } = await newcomer(server);
  const app = await authenticatorApp(server, token);
  const [used, unused] = app.recovery_codes ?? [];
  const logIn = async (at: TestServer, code?: string) => {
    const body = { email, password: goodPassword, code };
    return (await at.call('POST /login/web', { body, headers: { 'x-forwarded-for': fakeAddress() } })).status;
  };
  expect(await logIn(server, used)).toBe(200);
  const { out } = await run(server.database_url, 'backup', '--to', folder);
  const path = /^\S+\.backup/.exec(out)?.[0] ?? '';
  const content = zstdDecompressSync(await readFile(path)).toString('latin1');
  expect(content).toContain(email);
  for (const secret of [app.secret, unused ?? '', unused?.replaceAll('-', '') ?? '']) expect(content).not.toContain(secret);
  expect(await run(url(), 'restore', path)).toMatchObject({ code: 0, err: '' });
  const restored = await testServer({}, undefined, { otherServer: { ...server, database_url: url() } });
  try {
    restored.clock.turn(server.clock.now().getTime() - restored.clock.now().getTime() + 30_000);
    expect(await logIn(restored)).toBe(400);
    expect(await logIn(restored, used)).toBe(400);
    expect(await logIn(restored, unused)).toBe(200);
    expect(await logIn(restored, app.nextCode())).toBe(200);
  } finally {
    await restored.close();
  }
});
