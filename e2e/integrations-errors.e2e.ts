// Its own server: it calls services of the test.
import { expect, type Page } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import {
  type IntegrationsWorld,
  listenForTrouble,
  runOurs,
  runScript,
  startIntegrationsWorld,
} from './lib/integrations/integrations-world.ts';
import { registeredPerson } from './lib/people.ts';
import { addDevice, logIn } from './lib/screens.ts';
import { test } from './lib/test.ts';

let integrations: IntegrationsWorld;
let ann: Person;
test.beforeAll(async () => {
  integrations = await startIntegrationsWorld();
  ann = await registeredPerson(integrations.world, 'Annabel Secretname');
});
test.afterAll(() => integrations?.close());
let testStart = 0;
test.beforeEach(() => {
  testStart = Date.now();
  integrations.errors.asked.length = 0;
});

const urlOf = (path: string) => `${integrations.world.dashboardUrl}${path}`;
const greeting = (page: Page) => page.getByRole('heading', { name: /^Good / });
const go = (page: Page, where: 'Dashboard' | 'Profile') =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: where }).click();
const recordingsOfTest = () =>
  integrations.errors.envelopes().flatMap(({ items: [event, recording] }) => {
    if (event?.type !== 'replay_event' || !recording) return [];
    const replay = JSON.parse(event.text);
    return replay.replay_start_timestamp * 1000 < testStart
      ? []
      : [{ replay, recording: JSON.parse(recording.text.slice(recording.text.indexOf('\n'))) }];
  });
const replays = () => recordingsOfTest().map(({ replay }) => replay);
const recordings = () => recordingsOfTest().map(({ recording }) => recording);
/** A recording is sent five seconds after it began. */
const recordingTimeout = { timeout: 20_000 };

/** Gives consent before the page opens; `randomValue`: the value of `Math.random` on the page. */
async function agree(page: Page, randomValue = 0.9999): Promise<void> {
  await page.addInitScript((value) => {
    if (window.parent !== window) return;
    localStorage.setItem('porchlight_consent', JSON.stringify({ chat: true, errors: true, analytics: true }));
    Math.random = () => value;
  }, randomValue);
}

async function reportingIsThere(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => '__SENTRY__' in window)).toBe(true);
}

test('[7.40] [9.14] an error arrives with its trace and a replay, none of which contain personal data', async ({ page }) => {
  const problems = listenForTrouble(page);
  await agree(page);
  await page.goto(urlOf('/login?code=SECRET-1'));
  await reportingIsThere(page);
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  const code = await addDevice(page, 'Another device', 'Secretdevice');
  await go(page, 'Profile');
  await page.getByLabel('Name').fill('Typedname');
  const token = await page.evaluate(() => localStorage.getItem('porchlight_token'));
  await runOurs(page, integrations.world, `throw new TypeError("${ann.email} at ${urlOf('/reset-password/SECRET-2')}")`);
  await expect.poll(() => integrations.errors.errors()).toEqual([`TypeError: :email at ${urlOf('/reset-password/:resetToken')}`]);
  await expect.poll(replays, recordingTimeout).toMatchObject([{ replay_type: 'buffer', error_ids: [expect.any(String)] }]);

  const [event] = integrations.errors.items('event').map(({ text }) => JSON.parse(text));
  expect(event).toMatchObject({ release: 'porchlight@1.0.0', request: { url: urlOf('/profile') }, transaction: '/dashboard/profile' });
  expect(event.user).toBeUndefined();
  expect(replays()[0].error_ids).toEqual([event.event_id]);

  // Spans arrive in envelopes of their own.
  const segments = (segmentName: string) =>
    integrations.errors
      .items('span')
      .flatMap(({ text }) => JSON.parse(text).items)
      .filter(({ is_segment, name }) => is_segment && name === segmentName);
  await expect.poll(() => segments('Pageload'), recordingTimeout).toHaveLength(1);
  // Steps in quick succession are one navigation.
  await expect.poll(() => segments('Navigation').length, recordingTimeout).toBeGreaterThan(1);
  const traces = integrations.errors.envelopes().flatMap(({ head }) => head.trace ?? []);
  expect(traces.length).toBeGreaterThan(2);
  for (const trace of traces) expect(trace).toMatchObject({ sampled: 'true', sample_rate: '1', sample_rand: '0.9999' });

  // A recording contains the page with masked text.
  const recorded = recordings().flat();
  expect(recorded.filter(({ type }) => type === 2).length).toBeGreaterThan(0);
  expect(JSON.stringify(recorded)).toMatch(/"textContent":"\*{4,}/);
  expect(recorded.find(({ data }) => data.tag === 'options').data.payload).toMatchObject({
    sessionSampleRate: 0.1,
    errorSampleRate: 1,
    maskAllText: true,
    maskAllInputs: true,
    blockAllMedia: true,
    networkCaptureBodies: false,
  });
  const media = drawings(recorded.filter(({ type }) => type === 2));
  expect(media.length).toBeGreaterThan(0);
  for (const { attributes, childNodes } of media)
    expect([Object.keys(attributes).filter((name) => !/^(class|rr_\w+)$/.test(name)), childNodes]).toEqual([[], []]);

  const sentText = integrations.errors.asked.map(({ body, path, query }) => `${path}?${query}\n${body}`).join('\n');
  const [name = ''] = ann.email.split('@');
  for (const secret of ['SECRET', 'Annabel', 'Secretname', 'Secretdevice', 'Typedname', name, ann.password, token ?? '', code]) {
    expect(secret.length).toBeGreaterThan(5);
    expect(sentText).not.toContain(secret);
  }
  expect(problems.map((problem) => problem.slice(0, 11))).toEqual(['not caught:']);
});

for (const [randomValue, kind] of [
  [0.0999, 'session'],
  [0.1, 'buffer'],
] as const) {
  test(`[9.14] one visit in ten is recorded from its beginning: Math.random returns ${randomValue}`, async ({ page }) => {
    await agree(page, randomValue);
    await page.goto(urlOf('/login'));
    await reportingIsThere(page);
    // A visit that is not recorded is buffered until an error.
    if (kind === 'buffer') await runOurs(page, integrations.world, 'throw new TypeError("one of ours")');
    await expect.poll(replays, recordingTimeout).toMatchObject([{ replay_type: kind, segment_id: 0 }]);
    expect(integrations.errors.errors()).toEqual(kind === 'buffer' ? ['TypeError: one of ours'] : []);
  });
}

test('[8.21] refusals, aborted calls and errors of foreign scripts are not reported; our errors are, also those that a screen handled', async ({
  page,
}) => {
  await agree(page);
  await page.goto(urlOf('/login'));
  await reportingIsThere(page);
  await logIn(page, { ...ann, password: 'wrong' });
  await expect(page.getByRole('alert')).toContainText('do not go together');
  await page.route('**/api/login/web', (route) => route.abort());
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to connect to API.');
  await runOurs(page, integrations.world, 'const c = new AbortController(); fetch("/api/given-up", { signal: c.signal }); c.abort();');
  await runScript(page, `${integrations.chat.url}/packs/js/theirs.js`, 'setTimeout(() => { throw new TypeError("theirs"); });');
  await runScript(page, `${integrations.chat.url}/packs/js/theirs-too.js`, 'Promise.reject(new TypeError("theirs too"));');

  await page.unroute('**/api/login/web');
  await page.route('**/api/login/web', (route) => route.fulfill({ status: 503, json: { error: 'Not now.' } }));
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Not now.');
  await page.unroute('**/api/login/web');
  await page.route('**/api/web/devices', (route) => route.fulfill({ json: { devices: 'none' } }));
  await logIn(page, ann);
  await expect(page.getByRole('alert')).toContainText('An unknown error occurred');
  await page.route('**/api/web/profile', (route) => route.fulfill({ status: 500 }));
  await runOurs(page, integrations.world, 'Promise.reject(new TypeError("ours, and promised"));');
  await expect.poll(() => integrations.errors.errors()).toContain('TypeError: ours, and promised');
  expect(integrations.errors.errors()).toEqual([
    'Error: HTTP 503',
    expect.stringMatching(/^TypeError: .*is not a function/),
    'TypeError: ours, and promised',
  ]);
});

test('[8.21] a call that fails on the server is reported after the last retry', async ({ page }) => {
  await agree(page);
  await page.route('**/api/web/profile', (route) => route.fulfill({ status: 500 }));
  await page.goto(urlOf('/login'));
  await reportingIsThere(page);
  await logIn(page, ann);
  await expect.poll(() => integrations.errors.errors(), recordingTimeout).toEqual(['Error: HTTP 500']);
});

test('[7.40] withdrawn consent ends a recording at once, and renewed consent starts a new one without earlier data', async ({ page }) => {
  await agree(page, 0.05);
  await page.goto(urlOf('/login'));
  await expect.poll(replays, recordingTimeout).toHaveLength(1);
  await page.getByRole('button', { name: 'Privacy choices' }).click();
  await page.getByRole('button', { name: 'No, thank you' }).click();
  const no = await page.evaluate(() => Date.now());
  integrations.errors.asked.length = 0;
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Forgot your password?' })).toBeVisible();
  await page.getByLabel('Email').fill('nobody@example.org');
  await runOurs(page, integrations.world, 'throw new TypeError("meanwhile")');
  await page.getByRole('button', { name: 'Send the email' }).click();
  await expect(page.getByText(/^If there is an account/)).toBeVisible();
  expect(integrations.errors.asked).toEqual([]);

  await page.getByRole('button', { name: 'Privacy choices' }).click();
  const restartTime = await page.evaluate(() => Date.now());
  await page.getByRole('checkbox', { name: /^A report to us/ }).check();
  await page.getByRole('button', { name: 'Save my choices' }).click();
  await expect
    .poll(async () => {
      if (!integrations.errors.errors().length) await runOurs(page, integrations.world, 'throw new TypeError("again")');
      return integrations.errors.errors()[0];
    }, recordingTimeout)
    .toBe('TypeError: again');
  await expect.poll(replays, recordingTimeout).toHaveLength(1);
  for (const { timestamp, data } of recordings().flat()) {
    const seconds = data.payload?.startTimestamp ?? data.payload?.timestamp;
    expect(seconds ? seconds * 1000 : timestamp).toBeGreaterThanOrEqual(restartTime);
  }
  const [event] = integrations.errors.items('event').map(({ text }) => JSON.parse(text));
  const between = (event.breadcrumbs ?? []).filter(
    ({ timestamp }: { timestamp: number }) => timestamp * 1000 > no && timestamp * 1000 < restartTime,
  );
  expect(between).toEqual([]);
  for (const { text } of integrations.errors.items('span')) {
    for (const { start_timestamp } of JSON.parse(text).items) expect(start_timestamp * 1000).toBeGreaterThanOrEqual(restartTime);
  }
});

interface Recorded {
  tagName?: string;
  attributes: object;
  childNodes: Recorded[];
}

function drawings(node: unknown): Recorded[] {
  if (typeof node !== 'object' || node === null) return [];
  const ownDrawing = (node as Recorded).tagName === 'svg' ? [node as Recorded] : [];
  return [...ownDrawing, ...Object.values(node).flatMap(drawings)];
}
