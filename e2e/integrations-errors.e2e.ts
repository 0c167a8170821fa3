import { expect, type Page } from '@playwright/test';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import {
  type IntegrationsWorld,
  listenForTrouble,
  runOurs,
  runScript,
  startIntegrationsWorld,
} from './lib/integrations/integrations-world.ts';
import { addDevice, logIn } from './lib/screens.ts';
import { test } from './lib/test.ts';

/** What the error reporting is told: of which errors, how often, and nothing about who. Judged by what arrives. */

let outside: IntegrationsWorld;
let ann: Person;
test.beforeAll(async () => {
  outside = await startIntegrationsWorld();
  ann = await registeredPerson(outside.world, 'Annabel Secretname');
});
test.afterAll(() => outside?.close());
let begun = 0;
test.beforeEach(() => {
  begun = Date.now();
  outside.errors.asked.length = 0;
});

const at = (path: string) => `${outside.world.dashboardUrl}${path}`;
const greeting = (page: Page) => page.getByRole('heading', { name: /^Good / });
const go = (page: Page, where: 'Dashboard' | 'Profile') =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: where }).click();
const ofThisTest = () =>
  outside.errors.envelopes().flatMap(({ items: [event, recording] }) => {
    if (event?.type !== 'replay_event' || !recording) return [];
    const replay = JSON.parse(event.text);
    return replay.replay_start_timestamp * 1000 < begun
      ? []
      : [{ replay, recording: JSON.parse(recording.text.slice(recording.text.indexOf('\n'))) }];
  });
const replays = () => ofThisTest().map(({ replay }) => replay);
const recordings = () => ofThisTest().map(({ recording }) => recording);
/** A recording leaves five seconds after it began. */
const patience = { timeout: 20_000 };

/** Agreed to before the page is opened; `dice`: what falls whenever the page throws them. */
async function agree(page: Page, dice = 0.9999): Promise<void> {
  await page.addInitScript((fallen) => {
    if (window.parent !== window) return;
    localStorage.setItem('porchlight_consent', JSON.stringify({ chat: true, errors: true, analytics: true }));
    Math.random = () => fallen;
  }, dice);
}

/** The reporting is loaded a moment after the page. */
async function reportingIsThere(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => '__SENTRY__' in window)).toBe(true);
}

test('[7.40] [9.14] an error arrives with its trace and a replay of it, and nobody is in any of them', async ({ page }) => {
  const trouble = listenForTrouble(page);
  await agree(page);
  await page.goto(at('/login?code=SECRET-1'));
  await reportingIsThere(page);
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  const code = await addDevice(page, 'Another device', 'Secretdevice');
  await go(page, 'Profile');
  await page.getByLabel('Name').fill('Typedname');
  const token = await page.evaluate(() => localStorage.getItem('porchlight_token'));
  await runOurs(page, outside.world, `throw new TypeError("${ann.email} at ${at('/reset-password/SECRET-2')}")`);
  await expect.poll(() => outside.errors.errors()).toEqual([`TypeError: :email at ${at('/reset-password/:resetToken')}`]);
  await expect.poll(replays, patience).toMatchObject([{ replay_type: 'buffer', error_ids: [expect.any(String)] }]);

  const [event] = outside.errors.items('event').map(({ text }) => JSON.parse(text));
  expect(event).toMatchObject({ release: 'porchlight@1.0.0', request: { url: at('/profile') }, transaction: '/dashboard/profile' });
  expect(event.user).toBeUndefined();
  expect(replays()[0].error_ids).toEqual([event.event_id]);

  // The dice fell as high as they can, and still each trace was taken.
  const traces = outside.errors.envelopes().flatMap(({ head }) => head.trace ?? []);
  expect(traces.length).toBeGreaterThan(2);
  for (const trace of traces) expect(trace).toMatchObject({ sampled: 'true', sample_rate: '1', sample_rand: '0.9999' });
  const spans = outside.errors.items('span').flatMap(({ text }) => JSON.parse(text).items);
  // Steps that follow one another quickly are one navigation.
  const segments = spans.filter(({ is_segment }) => is_segment).map(({ name }) => name);
  expect(segments.filter((name) => name === 'Pageload')).toHaveLength(1);
  expect(segments.filter((name) => name === 'Navigation').length).toBeGreaterThan(1);

  // There is a recording, it has the page in it, and its words are blacked out.
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

  const all = outside.errors.asked.map(({ body, path, query }) => `${path}?${query}\n${body}`).join('\n');
  const [name = ''] = ann.email.split('@');
  for (const secret of ['SECRET', 'Annabel', 'Secretname', 'Secretdevice', 'Typedname', name, ann.password, token ?? '', code]) {
    expect(secret.length).toBeGreaterThan(5);
    expect(all).not.toContain(secret);
  }
  expect(trouble.map((what) => what.slice(0, 11))).toEqual(['not caught:']);
});

for (const [dice, kind] of [
  [0.0999, 'session'],
  [0.1, 'buffer'],
] as const) {
  test(`[9.14] of ten visits one is recorded from its beginning: the dice at ${dice}`, async ({ page }) => {
    await agree(page, dice);
    await page.goto(at('/login'));
    await reportingIsThere(page);
    // Only what is not recorded anyway waits for an error.
    if (kind === 'buffer') await runOurs(page, outside.world, 'throw new TypeError("one of ours")');
    await expect.poll(replays, patience).toMatchObject([{ replay_type: kind, segment_id: 0 }]);
    expect(outside.errors.errors()).toEqual(kind === 'buffer' ? ['TypeError: one of ours'] : []);
  });
}

test('[8.21] refusals, calls that were given up and errors of someone else are ignored; ours are reported, also those that a screen caught', async ({
  page,
}) => {
  await agree(page);
  await page.goto(at('/login'));
  await reportingIsThere(page);
  await logIn(page, { ...ann, password: 'wrong' });
  await expect(page.getByRole('alert')).toContainText('do not go together');
  await page.route('**/api/login/web', (route) => route.abort());
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to connect to API.');
  await runOurs(page, outside.world, 'const c = new AbortController(); fetch("/api/given-up", { signal: c.signal }); c.abort();');
  await runScript(page, `${outside.chat.url}/packs/js/theirs.js`, 'setTimeout(() => { throw new TypeError("theirs"); });');
  await runScript(page, `${outside.chat.url}/packs/js/theirs-too.js`, 'Promise.reject(new TypeError("theirs too"));');

  await page.unroute('**/api/login/web');
  await page.route('**/api/login/web', (route) => route.fulfill({ status: 503, json: { error: 'Not now.' } }));
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Not now.');
  await page.unroute('**/api/login/web');
  await page.route('**/api/web/devices', (route) => route.fulfill({ json: { devices: 'none' } }));
  await logIn(page, ann);
  await expect(page.getByRole('alert')).toContainText('An unknown error occurred');
  await page.route('**/api/web/profile', (route) => route.fulfill({ status: 500 }));
  await runOurs(page, outside.world, 'Promise.reject(new TypeError("ours, and promised"));');
  await expect.poll(() => outside.errors.errors()).toContain('TypeError: ours, and promised');
  expect(outside.errors.errors()).toEqual([
    'Error: HTTP 503',
    expect.stringMatching(/^TypeError: .*is not a function/),
    'TypeError: ours, and promised',
  ]);
});

test('[8.21] a call of ours that the server cannot answer is reported once it was given up', async ({ page }) => {
  await agree(page);
  await page.route('**/api/web/profile', (route) => route.fulfill({ status: 500 }));
  await page.goto(at('/login'));
  await reportingIsThere(page);
  await logIn(page, ann);
  await expect.poll(() => outside.errors.errors(), patience).toEqual(['Error: HTTP 500']);
});

test('[7.40] a yes that was taken back ends a recording at once, and one that is given again begins a new one with nothing of before', async ({
  page,
}) => {
  await agree(page, 0.05);
  await page.goto(at('/login'));
  await expect.poll(replays, patience).toHaveLength(1);
  await page.getByRole('button', { name: 'Privacy choices' }).click();
  await page.getByRole('button', { name: 'No, thank you' }).click();
  const no = await page.evaluate(() => Date.now());
  outside.errors.asked.length = 0;
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // The login asks for an address too.
  await expect(page.getByRole('heading', { level: 1, name: 'Forgot your password?' })).toBeVisible();
  await page.getByLabel('Email').fill('nobody@example.org');
  await runOurs(page, outside.world, 'throw new TypeError("meanwhile")');
  await page.getByRole('button', { name: 'Send the email' }).click();
  await expect(page.getByText(/^If there is an account/)).toBeVisible();
  expect(outside.errors.asked).toEqual([]);

  await page.getByRole('button', { name: 'Privacy choices' }).click();
  const again = await page.evaluate(() => Date.now());
  await page.getByRole('checkbox', { name: /^A report to us/ }).check();
  await page.getByRole('button', { name: 'Save my choices' }).click();
  // The reporting begins again a moment after the yes.
  await expect
    .poll(async () => {
      if (!outside.errors.errors().length) await runOurs(page, outside.world, 'throw new TypeError("again")');
      return outside.errors.errors()[0];
    }, patience)
    .toBe('TypeError: again');
  await expect.poll(replays, patience).toHaveLength(1);
  for (const { timestamp, data } of recordings().flat()) {
    const seconds = data.payload?.startTimestamp ?? data.payload?.timestamp;
    expect(seconds ? seconds * 1000 : timestamp).toBeGreaterThanOrEqual(again);
  }
  const [event] = outside.errors.items('event').map(({ text }) => JSON.parse(text));
  const between = (event.breadcrumbs ?? []).filter(
    ({ timestamp }: { timestamp: number }) => timestamp * 1000 > no && timestamp * 1000 < again,
  );
  expect(between).toEqual([]);
  for (const { text } of outside.errors.items('span')) {
    for (const { start_timestamp } of JSON.parse(text).items) expect(start_timestamp * 1000).toBeGreaterThanOrEqual(again);
  }
});

interface Recorded {
  tagName?: string;
  attributes: object;
  childNodes: Recorded[];
}

/** Every drawing that was recorded. */
function drawings(what: unknown): Recorded[] {
  if (typeof what !== 'object' || what === null) return [];
  const own = (what as Recorded).tagName === 'svg' ? [what as Recorded] : [];
  return [...own, ...Object.values(what).flatMap(drawings)];
}
