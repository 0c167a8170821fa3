import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fakeAddress, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
let above: string;
let folder: string;
const windows = randomBytes(300_000);
const macos = randomBytes(1000);
const hex = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const field = (content: Buffer) => `sha-256=:${createHash('sha256').update(content).digest('base64')}:`;

beforeAll(async () => {
  above = await mkdtemp(join(tmpdir(), 'porchlight-installers-'));
  folder = join(above, 'installers');
  server = await testServer({ INSTALLERS_DIR: folder });
});
afterAll(async () => {
  await server.close();
  await rm(above, { recursive: true, force: true });
});
beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await writeFile(join(folder, 'porchlight.exe'), windows);
  await writeFile(join(folder, 'porchlight.pkg'), macos);
});

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  server.app.http.inject({ method, url, headers });
const list = async () => (await server.call('GET /downloads')).body.items;

test('[9.12] what is there is listed with size and hash, and comes whole as an exe for Windows and a pkg for macOS', async () => {
  expect(await list()).toEqual([
    { platform: 'windows', size: 300_000, sha256: hex(windows) },
    { platform: 'macos', size: 1000, sha256: hex(macos) },
  ]);
  for (const [platform, content, name] of [
    ['windows', windows, 'Porchlight.exe'],
    ['macos', macos, 'Porchlight.pkg'],
  ] as const) {
    const answer = await get(`/downloads/${platform}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(content)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-length': String(content.length),
      'content-disposition': `attachment; filename="${name}"`,
      etag: `"${hex(content)}"`,
      'content-digest': field(content),
      'repr-digest': field(content),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    });
    expect((await get(`/downloads/${platform}.sha256`)).body).toBe(`${hex(content)}  ${name}\n`);
  }
});

test.each([
  ['?code=ABCD-EFGH', 'Porchlight [ABCD-EFGH].exe'],
  ['?code=abcdefgh', 'Porchlight [ABCD-EFGH].exe'],
  ['', 'Porchlight.exe'],
  ['?code=', 'Porchlight.exe'],
  ['?code=ABCD-EFG', 'Porchlight.exe'],
  ['?code=ABCD-EFG0', 'Porchlight.exe'],
  ['?code=ABCD-EFGH&code=ABCD-EFGH', 'Porchlight.exe'],
  ['?code=ABCD-EFGH%22%0d%0aX-Other:%201', 'Porchlight.exe'],
  ['?code=../../etc', 'Porchlight.exe'],
])('[9.12] [P3.4] the code stands in brackets in the name, and nothing else that was typed: %s', async (search, name) => {
  for (const method of ['GET', 'HEAD'] as const) {
    const { headers } = await get(`/downloads/windows${search}`, {}, method);
    expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`);
    expect(headers).not.toHaveProperty('x-other');
  }
  expect((await get(`/downloads/windows.sha256${search}`)).body).toContain(`  ${name}\n`);
});

test('HEAD tells all about the file and sends none of it', async () => {
  const answer = await get('/downloads/windows', {}, 'HEAD');
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload.length).toBe(0);
  expect(answer.headers).toMatchObject({ 'content-length': '300000', etag: `"${hex(windows)}"`, 'repr-digest': field(windows) });
  expect(answer.headers).not.toHaveProperty('content-digest');
});

test.each([
  ['bytes=0-0', 0, 1],
  ['bytes=100-199', 100, 200],
  ['bytes=299999-', 299_999, 300_000],
  ['bytes=-10', 299_990, 300_000],
  ['bytes=299990-400000', 299_990, 300_000],
])('a part is sent as such, with the digest of the whole: %s', async (range, from, to) => {
  const answer = await get('/downloads/windows', { range });
  expect(answer.statusCode).toBe(206);
  expect(answer.headers).toMatchObject({ 'content-range': `bytes ${from}-${to - 1}/300000`, 'content-length': String(to - from) });
  expect(answer.headers['repr-digest']).toBe(field(windows));
  expect(answer.headers).not.toHaveProperty('content-digest');
  expect(answer.rawPayload.equals(windows.subarray(from, to))).toBe(true);
});

test('a part behind the end is refused with the length of the file, in words', async () => {
  const answer = await get('/downloads/windows', { range: 'bytes=300000-' });
  expect(answer.statusCode).toBe(416);
  expect(answer.headers['content-range']).toBe('bytes */300000');
  expect(answer.headers).not.toHaveProperty('content-disposition');
  expect(answer.body).toBe('The file has no such part.');
});

test('a download goes on where it was broken off only while it is the same file', async () => {
  const { etag = '', 'last-modified': modified = '' } = (await get('/downloads/windows', {}, 'HEAD')).headers as Record<string, string>;
  const range = { range: 'bytes=100-' };
  for (const same of [etag, modified]) expect((await get('/downloads/windows', { ...range, 'if-range': same })).statusCode).toBe(206);
  // A weak tag is no promise of the same bytes, and neither is one of another file.
  for (const other of [`W/${etag}`, '"another"', 'Mon, 01 Jan 2001 00:00:00 GMT']) {
    const answer = await get('/downloads/windows', { ...range, 'if-range': other });
    expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 300_000]);
  }
  const newer = randomBytes(300_000);
  await writeFile(join(folder, 'new'), newer);
  await rename(join(folder, 'new'), join(folder, 'porchlight.exe'));
  const answer = await get('/downloads/windows', { ...range, 'if-range': etag });
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload.equals(newer)).toBe(true);
});

test('what a cache has already is not sent again, and a file that has changed is not taken for the old one', async () => {
  const etag = `"${hex(windows)}"`;
  for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const answer = await get('/downloads/windows', { 'if-none-match': tags });
    expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag]);
  }
  expect((await get('/downloads/windows', { 'if-none-match': '"x"' })).statusCode).toBe(200);
  for (const [tags, status] of [
    [etag, 200],
    ['*', 200],
    ['"x"', 412],
    [`W/${etag}`, 412],
  ] as const) {
    expect((await get('/downloads/windows', { 'if-match': tags })).statusCode).toBe(status);
  }
});

test('a file is hashed anew when it has become another, also one of the same size and time', async () => {
  expect((await list())?.[0]).toMatchObject({ sha256: hex(windows) });
  const newer = randomBytes(windows.length);
  const file = join(folder, 'porchlight.exe');
  const then = new Date('2026-01-01T00:00:00Z');
  await utimes(file, then, then);
  await list();
  await writeFile(file, newer);
  await utimes(file, then, then);
  expect((await list())?.[0]).toMatchObject({ sha256: hex(newer) });
  expect((await get('/downloads/windows')).headers.etag).toBe(`"${hex(newer)}"`);
});

test('a package for Linux is listed and comes under its own name, which never carries a code; the others keep theirs', async () => {
  const deb = Buffer.from('a package');
  await writeFile(join(folder, 'porchlight.deb'), deb);
  expect(await list()).toMatchObject([{ platform: 'windows' }, { platform: 'macos' }, { platform: 'linux' }]);
  const answer = await get('/downloads/linux?code=ABCD-EFGH');
  expect(answer.rawPayload.equals(deb)).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/vnd.debian.binary-package',
    'content-disposition': 'attachment; filename="Porchlight.deb"',
  });
  expect((await get('/downloads/linux.sha256?code=ABCD-EFGH')).body).toBe(`${hex(deb)}  Porchlight.deb\n`);
  expect((await get('/downloads/windows?code=ABCD-EFGH')).headers['content-disposition']).toBe(
    'attachment; filename="Porchlight [ABCD-EFGH].exe"',
  );
});

test('where there is no installer a page says so in words and names support, for each system its own', async () => {
  await unlink(join(folder, 'porchlight.exe'));
  expect(await list()).toMatchObject([{ platform: 'macos' }]);
  for (const url of ['/downloads/windows', '/downloads/windows?code=ABCD-EFGH', '/downloads/windows.sha256']) {
    const answer = await get(url, { range: 'bytes=0-1' });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers).not.toHaveProperty('content-disposition');
    expect(answer.body).toContain('<h1>This service has no installer for Windows yet.</h1>');
    for (const words of ['Ask support.', 'support@porchlight.example', 'tel:18005550100', 'porchlight.exe'])
      expect(answer.body).toContain(words);
  }
  await rm(folder, { recursive: true });
  expect(await list()).toEqual([]);
  expect((await get('/downloads/macos')).body).toContain('This service has no installer for macOS yet.');
});

test('nothing else has an address: no other name, nothing above the folder, no link out of it, no folder, nothing empty', async () => {
  const secret = 'not for anyone';
  await writeFile(join(above, 'secret'), secret);
  await writeFile(join(folder, 'secret'), secret);
  const urls = [
    '/downloads',
    '/downloads/',
    '/downloads/secret',
    '/downloads/porchlight.exe',
    '/downloads/linux',
    '/downloads/Windows',
    '/downloads/windows/',
    '/downloads/windows/secret',
    '/downloads/../secret',
    '/downloads/..%2fsecret',
    '/downloads/%2e%2e/secret',
    '/downloads/windows%2f..%2fsecret',
    '/downloads/windows%00',
  ];
  for (const url of urls) {
    const answer = await get(url);
    expect([url, answer.statusCode]).toEqual([url, 404]);
    expect(answer.body).not.toContain(secret);
  }
  const file = join(folder, 'porchlight.exe');
  const instead = [
    () => symlink(join(above, 'secret'), file),
    () => symlink('../secret', file),
    () => mkdir(file),
    () => writeFile(file, ''),
    () => symlink(file, file),
  ];
  for (const make of instead) {
    await rm(file, { recursive: true, force: true });
    await make();
    expect(await list()).toMatchObject([{ platform: 'macos' }]);
    expect((await get('/downloads/windows')).statusCode).toBe(404);
  }
});

test('a link to another file of the same folder is the operator’s way to name the newest one', async () => {
  const file = join(folder, 'porchlight.exe');
  await rename(file, join(folder, 'porchlight-2.exe'));
  await symlink('porchlight-2.exe', file);
  const answer = await get('/downloads/windows', { range: 'bytes=0-9' });
  expect(answer.rawPayload.equals(windows.subarray(0, 10))).toBe(true);
});

const wants = (email: unknown, from = fakeAddress()) =>
  server.call('POST /free-download', { body: { email }, headers: { 'x-forwarded-for': from } });
const kept = async () => (await server.db.selectFrom('free_downloads').select(['email', 'agreed']).orderBy('agreed').execute()) as unknown;

test('[7.32] [3.16] whoever wants the free plan gets 200; an address is kept where one was given, once', async () => {
  const agreed = server.clock.now();
  expect(await wants(null)).toMatchObject({ status: 200, body: {} });
  expect(await kept()).toEqual([]);
  expect(await wants(' Ann@example.org ')).toMatchObject({ status: 200, body: {} });
  server.clock.turn(60_000);
  for (const again of ['Ann@example.org', 'ann@EXAMPLE.org']) expect(await wants(again)).toMatchObject({ status: 200, body: {} });
  expect(await kept()).toEqual([{ email: 'Ann@example.org', agreed }]);
});

test.each([
  ['nobody', 'email'],
  ['two words@example.org', 'email'],
  ['', 'required'],
  [undefined, 'required'],
  [7, 'type'],
  [`${'x'.repeat(400)}@example.org`, 'max'],
])('[7.32] an address that is none is refused beside its field: %s', async (email, tag) => {
  expect(await wants(email)).toMatchObject({ status: 422, body: { code: 'invalid_input', fields: [{ field: 'Email', tag }] } });
});

test('from one place at most 60 an hour, and others are not held up', async () => {
  const from = fakeAddress();
  for (let n = 0; n < 60; n++) expect((await wants(null, from)).status).toBe(200);
  expect(await wants(null, from)).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } });
  expect((await wants(null)).status).toBe(200);
  server.clock.turn(3_600_001);
  expect((await wants(null, from)).status).toBe(200);
});

test('[1.2] whoever belongs to no account gets the same signed set as a device, when it is newer than what they have', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const ofDevice = (await server.call('GET /agent/definitions', { token: agent })).body;
  expect(await server.call('GET /agent/free-plan')).toMatchObject({ status: 200, body: { definitions: ofDevice } });
  expect((await server.call('GET /agent/free-plan?known=0')).body).toEqual({ definitions: ofDevice });
  for (const known of [1, 2]) expect((await server.call(`GET /agent/free-plan?known=${known}`)).body).toEqual({ definitions: null });
  expect((await server.call('GET /agent/free-plan?known=x')).status).toBe(422);
});
