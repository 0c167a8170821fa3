import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
let parentFolder: string;
let folder: string;
const content = randomBytes(50_000);
const sha256 = createHash('sha256').update(content).digest('hex');
const file = { target: 'linux-x64', name: 'agent', size: content.length, sha256, unpacked_size: 90_000 };
const release = newKeyPair();
const signed = (change: object = {}) =>
  signDocument(
    { agent_version: '1.2.3', issued: '2026-01-01T00:00:00Z', expires: '2027-01-01T00:00:00Z', files: [file], ...change },
    release,
  );
const writeManifest = (document: unknown) => writeFile(join(folder, 'manifest.json'), JSON.stringify(document));
const manifest = async () => (await server.call('GET /agent/update')).body.manifest;
const download = (url: string, headers: Record<string, string> = {}) => server.app.http.inject({ method: 'GET', url, headers });

beforeAll(async () => {
  parentFolder = await mkdtemp(join(tmpdir(), 'porchlight-updates-'));
  folder = join(parentFolder, 'installers', 'update');
  server = await testServer({ INSTALLERS_DIR: join(parentFolder, 'installers') });
});
afterAll(async () => {
  await server.close();
  await rm(parentFolder, { recursive: true, force: true });
});
beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${sha256}.gz`), content);
});

test('the manifest is served as signed, and its files by hash, whole or in part', async () => {
  await writeManifest(signed());
  expect(await manifest()).toEqual(signed());
  const wholeReply = await download(`/downloads/update/${sha256}`);
  expect(wholeReply.statusCode).toBe(200);
  expect(wholeReply.rawPayload.equals(content)).toBe(true);
  expect(wholeReply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  // Compression would change the bytes that were hashed.
  expect(wholeReply.headers).not.toHaveProperty('content-encoding');
  const partReply = await download(`/downloads/update/${sha256}`, { range: 'bytes=100-199' });
  expect([partReply.statusCode, partReply.rawPayload.equals(content.subarray(100, 200))]).toEqual([206, true]);
});

test('without an update the manifest is null', async () => {
  expect(await manifest()).toBeNull();
  await rm(folder, { recursive: true });
  expect(await manifest()).toBeNull();
  expect((await download(`/downloads/update/${sha256}`)).statusCode).toBe(404);
});

test('an update is not served while a file is missing, incomplete, or a link out of the folder', async () => {
  await writeManifest(signed({ files: [file, { ...file, target: 'win-x64', sha256: '0'.repeat(64) }] }));
  expect(await manifest()).toBeNull();
  await writeManifest(signed());
  await writeFile(join(folder, `${sha256}.gz`), content.subarray(1));
  expect(await manifest()).toBeNull();
  await rm(join(folder, `${sha256}.gz`));
  await writeFile(join(parentFolder, 'elsewhere'), content);
  await symlink(join(parentFolder, 'elsewhere'), join(folder, `${sha256}.gz`));
  expect(await manifest()).toBeNull();
  expect((await download(`/downloads/update/${sha256}`)).statusCode).toBe(404);
});

test.each([
  ['no JSON', '{'],
  ['no signed document', '{}'],
  ['a payload that is none', JSON.stringify({ payload: '{}', signature: 'x', key_id: 'x' })],
])('a manifest that is %s is not served', async (_what, text) => {
  await writeFile(join(folder, 'manifest.json'), text);
  expect(await manifest()).toBeNull();
});

test('no other file of the update folder can be downloaded', async () => {
  await writeManifest(signed());
  await writeFile(join(folder, 'secret.gz'), 'secret');
  for (const name of ['secret', 'manifest.json', `${sha256}.gz`, '..%2fsecret', sha256.toUpperCase()])
    expect((await download(`/downloads/update/${name}`)).statusCode).toBe(404);
});
