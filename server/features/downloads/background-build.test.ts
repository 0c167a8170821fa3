import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuiltInstallers, RunningBuild } from '@porchlight/contract/installer-build.ts';
import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { InstallerBuilder } from '../../integrations/installers/installers.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

type End = Awaited<ReturnType<InstallerBuilder['build']>>;
const address = 'http://localhost:4380';

let server: TestServer;
let folder: string;
/** What ends the builds that run, in the order of their beginning. */
let running: ((end: End) => void)[] = [];
let begun: number;
let hasMakensis: boolean;
let signedWith: string | null;
const builder: InstallerBuilder = {
  build(stop) {
    begun++;
    return new Promise((resolve) => {
      running.push(resolve);
      stop.addEventListener('abort', () => {
        running = running.filter((finish) => finish !== resolve);
        resolve({ end: 'interrupted' });
      });
    });
  },
  hasMakensis: async () => hasMakensis,
  signedWith: async () => signedWith,
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'porchlight-builds-'));
  server = await testServer({ INSTALLERS_DIR: folder }, undefined, { installerBuilder: builder });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  // A build of the test before ends, and its failure is forgotten.
  await end({ end: 'failed', reason: 'other', message: '' });
  server.clock.turn(60 * minute);
  [running, begun, hasMakensis, signedWith] = [[], 0, false, null];
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
});

const downloads = async () => (await server.call('GET /downloads')).body;
const rootKey = async () => String((await server.call('GET /agent/server')).body.keys?.definitions);
/** Ends the running build, and waits until the server has noted that. The first interruption of a build is noted nowhere. */
async function end(result: End): Promise<void> {
  const before = operatorLines().length;
  const finishers = running.splice(0);
  for (const finish of finishers) finish(result);
  if (finishers.length && result.end !== 'interrupted')
    await vi.waitFor(() => expect(operatorLines().length).toBeGreaterThan(before), 5000);
}
const operatorLines = () =>
  server
    .logged()
    .split('\n')
    .filter((line) => line.includes('"operator":true'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);

async function finishedBuild(change: Partial<BuiltInstallers> = {}): Promise<void> {
  await writeFile(join(folder, 'porchlight.pkg'), 'a package');
  const usual = { version: '1.0.0-test', public_url: address, root_key: await rootKey(), complete: true, needs_makensis: false };
  await writeFile(join(folder, 'built.json'), JSON.stringify({ ...usual, installers: ['porchlight.pkg'], ...change }));
}
async function otherBuild(change: Partial<RunningBuild> = {}): Promise<void> {
  const usual = { id: 'x', pid: process.pid, host: hostname(), step: 3, steps: 8, platform: 'macos' };
  await writeFile(join(folder, 'building.json'), JSON.stringify({ ...usual, ...change }));
}

test('a thousand requests at once for missing installers begin one build, and none waits for it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, n) =>
      n % 2 ? server.call('GET /downloads') : server.app.http.inject({ method: 'GET', url: '/downloads/windows' }).then(() => null),
    ),
  );
  expect(begun).toBe(1);
  for (const answer of answers.filter((one) => one !== null))
    expect(answer.body).toEqual({ items: [], build: { state: 'building', progress: null }, needs_makensis: false });
  await finishedBuild();
  await end({ end: 'built', notes: ['A release key was made.'] });
  await vi.waitFor(() => expect(operatorLines().at(-1)).toBe('A release key was made.'), 5000);
  // The build ends a moment after its last line.
  await vi.waitFor(async () => expect(await downloads()).toMatchObject({ items: [{ platform: 'macos' }], build: { state: 'idle' } }), 5000);
  expect(begun).toBe(1);
  expect(operatorLines().slice(-3)).toEqual([
    'The installers that people download are being built in the background, which takes a few minutes.',
    'The installers that people download are ready.',
    'A release key was made.',
  ]);
});

test('a download that is being built answers 503 with a page that says so, and others answer as before', async () => {
  await writeFile(join(folder, 'porchlight.pkg'), 'a package');
  await mkdir(join(folder, 'programs'));
  const answer = await server.app.http.inject({ method: 'GET', url: '/downloads/windows' });
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '60']);
  expect(answer.body).toContain('<h1>This download isn’t ready yet.</h1>');
  expect(answer.body).toContain('We’re getting it ready now. This takes a few minutes.');
  expect(answer.body).toContain('href="/downloads/windows"');
  expect((await server.app.http.inject({ method: 'GET', url: '/downloads/macos' })).body).toBe('a package');
});

test('after a failure the reason is in the log for the operator, and the next build begins after ten minutes', async () => {
  await downloads();
  await end({ end: 'failed', reason: 'offline', message: 'npm could not fetch a part.' });
  expect(await downloads()).toMatchObject({ items: [], build: { state: 'failed', reason: 'offline' } });
  expect(operatorLines().at(-1)).toBe(
    'The installers that people download could not be built. npm could not fetch a part. The server tries again when someone asks for a download, after 10 minutes.',
  );
  const page = await server.app.http.inject({ method: 'GET', url: '/downloads/windows' });
  expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '600']);
  expect(page.body).toContain('We’ll try again in about 10 minutes.');
  expect(page.body).not.toContain('npm');
  server.clock.turn(10 * minute - 1);
  expect(await downloads()).toMatchObject({ build: { state: 'failed' } });
  expect(begun).toBe(1);
  server.clock.turn(1);
  expect(await downloads()).toMatchObject({ build: { state: 'building' } });
  expect(begun).toBe(2);
});

test('a server that starts after the failure of another server in the same folder waits for the ten minutes too', async () => {
  await downloads();
  await end({ end: 'failed', reason: 'disk_full', message: 'The disk is full.' });
  const other = await testServer({ INSTALLERS_DIR: folder }, undefined, { installerBuilder: builder });
  other.clock.turn(server.clock.now().getTime() - other.clock.now().getTime());
  try {
    expect((await other.call('GET /downloads')).body).toMatchObject({ build: { state: 'failed', reason: 'disk_full' } });
    expect(begun).toBe(1);
    other.clock.turn(10 * minute);
    expect((await other.call('GET /downloads')).body).toMatchObject({ build: { state: 'building' } });
  } finally {
    await other.close();
  }
});

test('the progress of a build by another server or by hand in the same folder is shown, and no second one begins', async () => {
  await otherBuild();
  expect(await downloads()).toMatchObject({ build: { state: 'building', progress: { step: 3, steps: 8, platform: 'macos' } } });
  expect(JSON.stringify(await downloads())).not.toContain(hostname());
  await writeFile(join(folder, 'building.json'), '');
  expect(await downloads()).toMatchObject({ build: { state: 'building', progress: null } });
  expect(begun).toBe(0);
});

test.each([
  ['whose process has ended', { pid: 2 ** 22 + 1 }, 0, 1],
  ['on another computer that wrote nothing for six minutes', { host: 'elsewhere' }, 6, 1],
  ['on another computer that wrote four minutes ago', { host: 'elsewhere', pid: 2 ** 22 + 1 }, 4, 0],
])('a build %s: whether the next request begins another', async (_name, change, minutesAgo, expected) => {
  await otherBuild(change);
  const touched = new Date(server.clock.now().getTime() - minutesAgo * minute);
  await utimes(join(folder, 'building.json'), touched, touched);
  await downloads();
  expect(begun).toBe(expected);
});

test('a build that something ended begins again at the next request; ended twice, it counts as failed', async () => {
  await downloads();
  await end({ end: 'interrupted' });
  await vi.waitFor(async () => expect([await downloads(), begun]).toMatchObject([{ build: { state: 'building' } }, 2]), 5000);
  const before = operatorLines().length;
  await end({ end: 'interrupted' });
  await vi.waitFor(() => expect(operatorLines().length).toBeGreaterThan(before), 5000);
  expect(await downloads()).toMatchObject({ build: { state: 'failed', reason: 'other' } });
  expect(begun).toBe(2);
});

test.each([
  ['a former version', { version: '0.9.0' }, 1, 1],
  ['another root key', { root_key: 'other' }, 1, 1],
  ['another address, where they are not offered', { public_url: 'https://old.example' }, 1, 0],
  ['a build that was ended while it wrote', { complete: false }, 1, 1],
  ['a build whose files were removed since', { installers: ['porchlight.deb'] }, 1, 1],
  ['this server as it is', {}, 0, 1],
])('installers of %s: whether they are built again, and offered meanwhile', async (_name, change, builds, offered) => {
  await finishedBuild(change);
  expect((await downloads()).items).toHaveLength(offered);
  expect((await server.app.http.inject({ method: 'GET', url: '/downloads/macos' })).statusCode).toBe(offered ? 200 : 503);
  expect(begun).toBe(builds);
});

test('installers that the operator put there are never replaced, and a build without a record is', async () => {
  await writeFile(join(folder, 'porchlight.exe'), 'of the operator');
  expect(await downloads()).toMatchObject({ items: [{ platform: 'windows' }], build: { state: 'idle' } });
  expect(begun).toBe(0);
  await mkdir(join(folder, 'update'));
  expect(await downloads()).toMatchObject({ items: [{ platform: 'windows' }], build: { state: 'building' } });
  expect(begun).toBe(1);
});

test('without makensis the operator reads how to get it; once it is there, the next request builds the installer for Windows', async () => {
  await downloads();
  await finishedBuild({ needs_makensis: true });
  await end({ end: 'built', notes: [] });
  expect(await downloads()).toMatchObject({ build: { state: 'idle' }, needs_makensis: true });
  await vi.waitFor(() => expect(operatorLines().at(-1)).toContain('makensis'), 5000);
  expect(operatorLines().at(-1)).toBe(
    'There is no installer for Windows yet, because makensis is not on this computer. On Debian and Ubuntu: apt-get install nsis. It is built the next time that someone asks for a download.',
  );
  expect(begun).toBe(1);
  hasMakensis = true;
  expect(await downloads()).toMatchObject({ build: { state: 'building' } });
  expect(begun).toBe(2);
});

test('another certificate for Windows, or a first one, begins a new build; the same one does not, nor does a server without one', async () => {
  for (const [before, now, state] of [
    [undefined, null, 'idle'],
    ['a certificate', 'a certificate', 'idle'],
    [undefined, 'a certificate', 'building'],
    ['a certificate', 'another certificate', 'building'],
    ['a certificate', null, 'idle'],
  ] as const) {
    await finishedBuild(before ? { signed_with: before } : {});
    signedWith = now;
    expect([before, now, (await downloads()).build?.state]).toEqual([before, now, state]);
    await end({ end: 'failed', reason: 'other', message: '' });
    server.clock.turn(60 * minute);
  }
  expect(begun).toBe(2);
});

test('a server that stops ends its build, and that counts as no failure', async () => {
  const other = await testServer({ INSTALLERS_DIR: folder }, undefined, { installerBuilder: builder });
  await other.call('GET /downloads');
  expect(begun).toBe(1);
  await other.close();
  expect(existsSync(join(folder, 'build-failed.json'))).toBe(false);
  expect(await downloads()).toMatchObject({ build: { state: 'building' } });
});

test('a server without a builder begins nothing, and says so as before', async () => {
  const other = await testServer({ INSTALLERS_DIR: folder });
  try {
    expect((await other.call('GET /downloads')).body).toEqual({ items: [], build: { state: 'idle' }, needs_makensis: false });
    expect((await other.app.http.inject({ method: 'GET', url: '/downloads/windows' })).statusCode).toBe(404);
  } finally {
    await other.close();
  }
});

test('a failure is forgotten after a build that succeeded', async () => {
  await downloads();
  await end({ end: 'failed', reason: 'offline', message: 'npm could not fetch a part.' });
  expect(JSON.parse(await readFile(join(folder, 'build-failed.json'), 'utf8'))).toMatchObject({ reason: 'offline' });
  server.clock.turn(10 * minute);
  await downloads();
  await finishedBuild({ version: '0.9.0' });
  await end({ end: 'built', notes: [] });
  expect(await downloads()).toMatchObject({ build: { state: 'building' } });
});
