import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signedTime } from '@porchlight/contract/agent.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fakeAddress, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
let parentFolder: string;
let folder: string;
const windows = randomBytes(300_000);
const macos = randomBytes(1000);
const hex = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const field = (content: Buffer) => `sha-256=:${createHash('sha256').update(content).digest('base64')}:`;

beforeAll(async () => {
  parentFolder = await mkdtemp(join(tmpdir(), 'porchlight-installers-'));
  folder = join(parentFolder, 'installers');
  server = await testServer({ INSTALLERS_DIR: folder });
});
afterAll(async () => {
  await server.close();
  await rm(parentFolder, { recursive: true, force: true });
});
beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await writeFile(join(folder, 'porchlight.exe'), windows);
  await writeFile(join(folder, 'porchlight.pkg'), macos);
});

const download = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  server.app.http.inject({ method, url, headers });
const list = async () => (await server.call('GET /downloads')).body.items;

test('[9.12] installers are listed with size and hash, and are downloaded as an exe for Windows and a pkg for macOS', async () => {
  expect(await list()).toEqual([
    { platform: 'windows', size: 300_000, sha256: hex(windows) },
    { platform: 'macos', size: 1000, sha256: hex(macos) },
  ]);
  for (const [platform, content, name] of [
    ['windows', windows, 'Porchlight.exe'],
    ['macos', macos, 'Porchlight.pkg'],
  ] as const) {
    const answer = await download(`/downloads/${platform}`);
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
    expect((await download(`/downloads/${platform}.sha256`)).body).toBe(`${hex(content)}  ${name}\n`);
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
])('[9.12] [P3.4] the file name contains a valid code in brackets and nothing else from the request: %s', async (search, name) => {
  for (const method of ['GET', 'HEAD'] as const) {
    const { headers } = await download(`/downloads/windows${search}`, {}, method);
    expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`);
    expect(headers).not.toHaveProperty('x-other');
  }
  expect((await download(`/downloads/windows.sha256${search}`)).body).toContain(`  ${name}\n`);
});

test('a HEAD request gets the headers without the file', async () => {
  const answer = await download('/downloads/windows', {}, 'HEAD');
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
])('a range request gets that part with the digest of the whole file: %s', async (range, start, end) => {
  const answer = await download('/downloads/windows', { range });
  expect(answer.statusCode).toBe(206);
  expect(answer.headers).toMatchObject({ 'content-range': `bytes ${start}-${end - 1}/300000`, 'content-length': String(end - start) });
  expect(answer.headers['repr-digest']).toBe(field(windows));
  expect(answer.headers).not.toHaveProperty('content-digest');
  expect(answer.rawPayload.equals(windows.subarray(start, end))).toBe(true);
});

test("a range after the end of the file is refused with the file's length and a message", async () => {
  const answer = await download('/downloads/windows', { range: 'bytes=300000-' });
  expect(answer.statusCode).toBe(416);
  expect(answer.headers['content-range']).toBe('bytes */300000');
  expect(answer.headers).not.toHaveProperty('content-disposition');
  expect(answer.body).toBe('The file has no such part.');
});

test('a download resumes only while the file is the same', async () => {
  const { etag = '', 'last-modified': modified = '' } = (await download('/downloads/windows', {}, 'HEAD')).headers as Record<
    string,
    string
  >;
  const range = { range: 'bytes=100-' };
  for (const condition of [etag, modified])
    expect((await download('/downloads/windows', { ...range, 'if-range': condition })).statusCode).toBe(206);
  // Weak ETags do not guarantee identical bytes, so they match nothing.
  for (const otherCondition of [`W/${etag}`, '"another"', 'Mon, 01 Jan 2001 00:00:00 GMT']) {
    const answer = await download('/downloads/windows', { ...range, 'if-range': otherCondition });
    expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 300_000]);
  }
  const newContent = randomBytes(300_000);
  await writeFile(join(folder, 'new'), newContent);
  await rename(join(folder, 'new'), join(folder, 'porchlight.exe'));
  const answer = await download('/downloads/windows', { ...range, 'if-range': etag });
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload.equals(newContent)).toBe(true);
});

test('a cached file is not sent again, and a changed file fails If-Match', async () => {
  const etag = `"${hex(windows)}"`;
  for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const answer = await download('/downloads/windows', { 'if-none-match': tags });
    expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag]);
  }
  expect((await download('/downloads/windows', { 'if-none-match': '"x"' })).statusCode).toBe(200);
  for (const [tags, status] of [
    [etag, 200],
    ['*', 200],
    ['"x"', 412],
    [`W/${etag}`, 412],
  ] as const) {
    expect((await download('/downloads/windows', { 'if-match': tags })).statusCode).toBe(status);
  }
});

test('a replaced file is hashed again, even with the same size and time', async () => {
  expect((await list())?.[0]).toMatchObject({ sha256: hex(windows) });
  const newContent = randomBytes(windows.length);
  const file = join(folder, 'porchlight.exe');
  const fixedTime = new Date('2026-01-01T00:00:00Z');
  await utimes(file, fixedTime, fixedTime);
  await list();
  await writeFile(file, newContent);
  await utimes(file, fixedTime, fixedTime);
  expect((await list())?.[0]).toMatchObject({ sha256: hex(newContent) });
  expect((await download('/downloads/windows')).headers.etag).toBe(`"${hex(newContent)}"`);
});

test('a Linux package is listed, and its name never contains a code; other platforms are unaffected', async () => {
  const deb = Buffer.from('a package');
  await writeFile(join(folder, 'porchlight.deb'), deb);
  expect(await list()).toMatchObject([{ platform: 'windows' }, { platform: 'macos' }, { platform: 'linux' }]);
  const answer = await download('/downloads/linux?code=ABCD-EFGH');
  expect(answer.rawPayload.equals(deb)).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/vnd.debian.binary-package',
    'content-disposition': 'attachment; filename="Porchlight.deb"',
  });
  expect((await download('/downloads/linux.sha256?code=ABCD-EFGH')).body).toBe(`${hex(deb)}  Porchlight.deb\n`);
  expect((await download('/downloads/windows?code=ABCD-EFGH')).headers['content-disposition']).toBe(
    'attachment; filename="Porchlight [ABCD-EFGH].exe"',
  );
});

test('a missing installer causes a page that names the platform and support', async () => {
  await unlink(join(folder, 'porchlight.exe'));
  expect(await list()).toMatchObject([{ platform: 'macos' }]);
  for (const url of ['/downloads/windows', '/downloads/windows?code=ABCD-EFGH', '/downloads/windows.sha256']) {
    const answer = await download(url, { range: 'bytes=0-1' });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers).not.toHaveProperty('content-disposition');
    expect(answer.body).toContain('<h1>This service has no installer for Windows yet.</h1>');
    for (const expectedText of ['Ask support.', 'support@porchlight.example', 'tel:18005550100', 'porchlight.exe'])
      expect(answer.body).toContain(expectedText);
  }
  await rm(folder, { recursive: true });
  expect(await list()).toEqual([]);
  expect((await download('/downloads/macos')).body).toContain('This service has no installer for macOS yet.');
});

test('nothing else can be downloaded: other names, paths outside the folder, links out of it, folders or empty files', async () => {
  const secret = 'not for anyone';
  await writeFile(join(parentFolder, 'secret'), secret);
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
    const answer = await download(url);
    expect([url, answer.statusCode]).toEqual([url, 404]);
    expect(answer.body).not.toContain(secret);
  }
  const file = join(folder, 'porchlight.exe');
  const replacements = [
    () => symlink(join(parentFolder, 'secret'), file),
    () => symlink('../secret', file),
    () => mkdir(file),
    () => writeFile(file, ''),
    () => symlink(file, file),
  ];
  for (const replaceFile of replacements) {
    await rm(file, { recursive: true, force: true });
    await replaceFile();
    expect(await list()).toMatchObject([{ platform: 'macos' }]);
    expect((await download('/downloads/windows')).statusCode).toBe(404);
  }
});

test('a symbolic link within the folder can select the newest installer', async () => {
  const file = join(folder, 'porchlight.exe');
  await rename(file, join(folder, 'porchlight-2.exe'));
  await symlink('porchlight-2.exe', file);
  const answer = await download('/downloads/windows', { range: 'bytes=0-9' });
  expect(answer.rawPayload.equals(windows.subarray(0, 10))).toBe(true);
});

const requestFreePlan = (email: unknown, address = fakeAddress()) =>
  server.call('POST /free-download', { body: { email }, headers: { 'x-forwarded-for': address } });
const storedEmails = async () =>
  (await server.db.selectFrom('free_downloads').select(['email', 'agreed']).orderBy('agreed').execute()) as unknown;

test('[7.32] [3.16] requests for the free plan succeed, and an email address is stored once', async () => {
  const agreed = server.clock.now();
  expect(await requestFreePlan(null)).toMatchObject({ status: 200, body: {} });
  expect(await storedEmails()).toEqual([]);
  expect(await requestFreePlan(' Ann@example.org ')).toMatchObject({ status: 200, body: {} });
  server.clock.turn(60_000);
  for (const email of ['Ann@example.org', 'ann@EXAMPLE.org']) expect(await requestFreePlan(email)).toMatchObject({ status: 200, body: {} });
  expect(await storedEmails()).toEqual([{ email: 'Ann@example.org', agreed }]);
});

test.each([
  ['nobody', 'email'],
  ['two words@example.org', 'email'],
  ['', 'required'],
  [undefined, 'required'],
  [7, 'type'],
  [`${'x'.repeat(400)}@example.org`, 'max'],
])('[7.32] an invalid email address is refused beside its field: %s', async (email, tag) => {
  expect(await requestFreePlan(email)).toMatchObject({ status: 422, body: { code: 'invalid_input', fields: [{ field: 'Email', tag }] } });
});

test('requests for the free plan are limited to 60 an hour per address, independently of other addresses', async () => {
  const address = fakeAddress();
  for (let n = 0; n < 60; n++) expect((await requestFreePlan(null, address)).status).toBe(200);
  expect(await requestFreePlan(null, address)).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } });
  expect((await requestFreePlan(null)).status).toBe(200);
  server.clock.turn(3_600_001);
  expect((await requestFreePlan(null, address)).status).toBe(200);
});

test('[1.2] an agent without an account gets the same signed definitions as a device, if newer than its own, and the time signed for its call alone', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const deviceFeed = (await server.call('GET /agent/definitions', { token: agent })).body;
  expect(await server.call('GET /agent/free-plan')).toMatchObject({ status: 200, body: { definitions: deviceFeed } });
  expect((await server.call('GET /agent/free-plan?known=0')).body).toEqual({ definitions: deviceFeed });
  for (const knownVersion of [1, 2])
    expect((await server.call(`GET /agent/free-plan?known=${knownVersion}`)).body).toEqual({ definitions: null });
  expect((await server.call('GET /agent/free-plan?known=x')).status).toBe(422);
  const nonce = 'A'.repeat(22);
  const { body: timed } = await server.call(`GET /agent/free-plan?known=1&nonce=${nonce}`);
  const policyKey = String((await server.call('GET /agent/server')).body.keys?.policy);
  const time = server.clock.now().toISOString();
  expect(openDocument(timed.time as unknown as SignedDocument, policyKey, signedTime)).toEqual({ time, nonce });
  expect((await server.call('GET /agent/free-plan?nonce=short')).status).toBe(422);
});
