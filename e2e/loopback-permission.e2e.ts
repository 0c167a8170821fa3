import { randomUUID } from 'node:crypto';
import { type Browser, type BrowserContext, chromium, expect, type Page } from '@playwright/test';
import { parseLinkUri } from '@porchlight/contract/loopback.ts';
import { browserFlags, findBrowser } from '@porchlight/dev/browser.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { anyDevice } from './lib/device-info.ts';
import { guest, linked } from './lib/loopback-routes.ts';
import { type LoopbackServer, startLoopbackServer } from './lib/loopback-server.ts';
import { registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/**
 * Browsers ask for permission before a page from the internet calls this computer. Here Chromium takes the dashboard for such a page, with
 * the
 * permission granted, open or denied. Without a window the prompt stays unanswered.
 */

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let browser: Browser;
let program: LoopbackServer;
let context: BrowserContext;
let page: Page;
let ann: Person;
let origin: string;
/** Why this Chromium has no permission prompt; null if it has. */
let missingReason: string | null = null;

test.beforeAll(async () => {
  const { port } = new URL(world.url);
  origin = `http://porch.example:${port}`;
  const executablePath = findBrowser();
  browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [
      ...browserFlags,
      '--host-resolver-rules=MAP porch.example 127.0.0.1',
      `--unsafely-treat-insecure-origin-as-secure=${origin}`,
      `--ip-address-space-overrides=127.0.0.1:${port}=public`,
    ],
  });
  program = await startLoopbackServer(origin, guest, async ({ uri }) => {
    await call(world.url, 'POST /agent/enrol', { body: { code: parseLinkUri(uri)?.code ?? '', info: anyDevice, enrol_id: randomUUID() } });
    program.status = linked;
  });
});
test.afterAll(async () => {
  await program?.close();
  await browser?.close();
});
test.beforeEach(async () => {
  ann = await registeredPerson(world);
  const localStorage = [
    { name: 'porchlight_token', value: ann.token },
    { name: 'porchlight_person', value: ann.email },
  ];
  context = await browser.newContext({ storageState: { cookies: [], origins: [{ origin, localStorage }] } });
  page = await context.newPage();
  program.status = guest;
  program.asked.length = 0;
});
test.afterEach(async () => {
  await context?.close();
});

const allow = () => context.grantPermissions(['local-network-access'], { origin });
/** Denies the permission, as if the user had pressed Block; lasts as long as the session. */
async function block(): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const { browserContextIds } = await session.send('Target.getBrowserContexts');
  for (const name of ['loopback-network', 'local-network-access']) {
    for (const browserContextId of browserContextIds) {
      await session.send('Browser.setPermission', { permission: { name }, setting: 'denied', origin, browserContextId });
    }
  }
}
const permission = () =>
  page.evaluate(async () => (await navigator.permissions.query({ name: 'loopback-network' as PermissionName })).state);
const askDirectly = () =>
  page.evaluate(() =>
    fetch('http://127.0.0.1:23407/.well-known/').then(
      (answer) => answer.status,
      (reason: Error) => reason.message,
    ),
  );
const onDashboard = async () => {
  await page.goto(`${origin}/dashboard`);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
};
const toDownload = async () => {
  await onDashboard();
  await page.getByRole('link', { name: 'Add Device' }).click();
  await page.getByRole('button', { name: 'This device' }).click();
  await page.getByLabel('Device name').fill('Den PC');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.locator('.code')).toHaveText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  return (await page.locator('.code').textContent()) ?? '';
};
const expectOtherWays = async () => {
  await expect(page.locator('.code')).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code of the share link' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy Share Link' })).toBeEnabled();
};
const useTheCode = () => page.getByText('This page could not reach Porchlight on this computer. Use the code instead.', { exact: true });
const connected = () => page.getByText('Device connected').first();
const restart = () => page.getByRole('button', { name: 'Restart the search' });

test('this Chromium refuses a call to this computer without a permission, and permits it with one', async () => {
  await onDashboard();
  expect(await permission()).toBe('prompt');
  const refusal = await askDirectly();
  console.log(`Chromium ${browser.version()}: without a permission a call to this computer ends in "${refusal}".`);
  if (refusal === 200) {
    missingReason = `Chromium ${browser.version()} does not check calls to this computer: one without a permission was answered`;
    test.skip(true, missingReason);
  }
  expect(refusal).toBe('Failed to fetch');
  expect(program.asked).toEqual([]);
  await allow();
  expect(await permission()).toBe('granted');
  expect(await askDirectly()).toBe(200);
  expect(program.asked).toEqual(['GET /.well-known/']);
});

test.describe('in a Chromium that checks the permission', () => {
  test.beforeEach(() => test.skip(missingReason !== null, missingReason ?? ''));

  test('[P3.3] [7.35] with the permission granted the device connects without a prompt', async () => {
    await allow();
    await onDashboard();
    await page.getByRole('link', { name: 'Add Device' }).click();
    await page.getByRole('button', { name: 'This device' }).click();
    await page.getByLabel('Device name').fill('Den PC');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(connected()).toBeVisible();
    expect(program.asked.filter((one) => one === 'POST /api/uri')).toHaveLength(1);
  });

  test('[P3.3] with the permission open nothing is called before an explanation and a press; an unanswered prompt leads to the code, and a later yes connects', async () => {
    await toDownload();
    await expect(page.getByText(/^Your browser will ask whether this page may talk to this computer\. Press Allow/)).toBeVisible();
    await expectOtherWays();
    expect(program.asked).toEqual([]);
    const tries: string[] = [];
    page.on('request', (request) => request.url().includes(':23407') && tries.push(request.url()));
    await page.getByRole('button', { name: 'Connect this computer' }).click();
    await expect(useTheCode()).toBeVisible();
    expect(tries).toHaveLength(1);
    expect(program.asked).toEqual([]);
    await expectOtherWays();

    await allow();
    await expect(restart()).toBeEnabled({ timeout: 10_000 });
    await restart().click();
    await expect(connected()).toBeVisible();
  });

  test('[P3.3] with the permission open and then granted, the press connects', async () => {
    await toDownload();
    await allow();
    await page.getByRole('button', { name: 'Connect this computer' }).click();
    await expect(connected()).toBeVisible();
  });

  test('[P3.3] with the permission denied the page points to the code at once, calls nothing, and the typed code connects', async () => {
    await block();
    const tries: string[] = [];
    page.on('request', (request) => request.url().includes(':23407') && tries.push(request.url()));
    const code = await toDownload();
    expect(await permission()).toBe('denied');
    await expect(useTheCode()).toBeVisible();
    await expectOtherWays();
    await expect(restart()).toBeEnabled({ timeout: 10_000 });
    await restart().click();
    await expect(useTheCode()).toBeVisible();
    expect([tries, program.asked]).toEqual([[], []]);
    await call(world.url, 'POST /agent/enrol', { body: { code: code.toLowerCase(), info: anyDevice, enrol_id: randomUUID() } });
    await expect(connected()).toBeVisible();
  });

  for (const [state, set, message] of [
    ['granted', allow, 'Connected. Porchlight is on here now.'],
    ['not asked yet', async () => {}, 'Porchlight did not answer on this computer. Type the code into it instead.'],
    ['refused', block, 'Porchlight did not answer on this computer. Type the code into it instead.'],
  ] as const) {
    test(`[P3.3] [P3.5] the share page, ${state}: ${message}`, async () => {
      await set();
      const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC', policy: null } });
      await page.goto(`${origin}/dashboard/share/${login_code}`);
      await page.getByRole('button', { name: 'Connect this computer' }).click();
      await expect(page.getByText(message, { exact: true })).toBeVisible();
      await expect(page.getByText(login_code, { exact: true })).toBeVisible();
    });
  }
});
