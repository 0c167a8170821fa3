// Tier: fast. The journey of section 3, entities and their fields.
import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { limits } from '@porchlight/contract/limits.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { agentInfo } from '@porchlight/server/testing/agent-info.ts';
import { checkScreen } from './lib/accessibility.ts';
import { guest, linked, routeLoopback } from './lib/loopback-routes.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
let page: Page;
withAnn((signedIn) => {
  ({ world, ann, page } = signedIn);
});

const urlOf = (step: string) => `${world.dashboardUrl}/add-device?step=${step}`;
const button = (name: string) => page.getByRole('button', { name });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const name = () => page.getByLabel('Device name');
const code = () => page.locator('.code');
const devices = async () => (await call(world.url, 'GET /web/devices', { token: ann.token })).devices;
/** Records the requests that create or change a device from now on. */
const recordWrites = () => {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && /^\/api\/web\/(create-device|devices\/)/.test(pathname)) {
      const { draft: _, ...body } = request.postDataJSON();
      bodies.push(body);
    }
  });
  return bodies;
};
const choose = async (machine: 'This device' | 'Another device') => {
  await page.goto(world.dashboardUrl);
  await link('Add Device').click();
  await button(machine).click();
};

for (const [machine, step, sendText] of [
  ['This device', 'download', 'Do one of these; whichever is easiest.'],
  ['Another device', 'send', 'Send this to the person at the other computer'],
] as const) {
  test(`[2.62] [2.63] [2.64] [2.65] [2.66] [3.5] [P3.7] ${machine}: the steps are machine, name and profile, then ${step}; each step has its own address and a Cancel link`, async () => {
    await routeLoopback(page);
    const bodies = recordWrites();
    await page.goto(world.dashboardUrl);
    await link('Add Device').click();
    await expect(page).toHaveURL(urlOf('machine'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Which computer do you want to protect?');
    await link('Cancel').click();
    await expect(page).toHaveURL(world.dashboardUrl);
    await link('Add Device').click();
    await button(machine).click();

    await expect(page).toHaveURL(urlOf('policy'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Name it, and choose how strict we are');
    await expect(name()).toBeFocused();
    await expect(page.getByRole('radio', { name: /^Strict/ })).toBeChecked();
    await expect(link('Cancel')).toHaveAttribute('href', '/dashboard');
    await name().fill('  Mum’s laptop ');
    await page.getByRole('radio', { name: /^Permissive/ }).check();
    expect(bodies).toEqual([]);
    await button('Continue').click();

    await expect(page).toHaveURL(urlOf(step));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Protect Mum’s laptop');
    await expect(page.getByText(sendText, { exact: true })).toBeVisible();
    expect(bodies).toEqual([{ name: 'Mum’s laptop', policy: 'permissive' }]);
    const [createdDevice] = await devices();
    await expect(code()).toHaveText(createdDevice?.login_code ?? 'none');
    await expect(page.getByRole('img', { name: 'QR code of the share link' })).toBeVisible();
    await checkScreen(page);
    await link('Continue to dashboard').click();
    await expect(page).toHaveURL(world.dashboardUrl);
    await expect(page.getByText('Pending install', { exact: true })).toBeVisible();
  });
}

test('[2.62] cancelling at the name step leads to the dashboard and creates no device', async () => {
  const bodies = recordWrites();
  await choose('Another device');
  await name().fill('Mum’s laptop');
  await link('Cancel').click();
  await expect(page).toHaveURL(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: 'Your devices (0 of 5)' })).toBeVisible();
  expect(bodies).toEqual([]);
});

test('[2.67] the set-up always restarts at the first step with nothing selected', async () => {
  for (const leaveLastStep of [() => link('Continue to dashboard').click(), () => link('Dashboard').click()]) {
    await choose('Another device');
    await expect(name()).toHaveValue('');
    await name().fill('Mum’s laptop');
    await page.getByRole('radio', { name: /^Permissive/ }).check();
    await button('Continue').click();
    await expect(code()).toBeVisible();
    await leaveLastStep();
    await link('Add Device').click();
    await expect(page).toHaveURL(urlOf('machine'));
    await expect(button('This device')).toBeVisible();
    await button('Another device').click();
    await expect(name()).toHaveValue('');
    await expect(page.getByRole('radio', { name: /^Strict/ })).toBeChecked();
  }
  await page.goto(urlOf('nothing-of-ours'));
  await expect(button('This device')).toBeVisible();
});

test('[2.27] [P3.7] without a draft the download and send steps redirect to the name step', async () => {
  for (const step of ['download', 'send']) {
    await page.goto(urlOf(step));
    await expect(page).toHaveURL(urlOf('policy'));
    await expect(name()).toBeVisible();
  }
  expect(await devices()).toEqual([]);
});

test('a reload creates no second device, and going back to change name, profile or machine updates the existing one', async () => {
  await routeLoopback(page);
  const bodies = recordWrites();
  await choose('Another device');
  await name().fill('Mum’s labtop');
  await button('Continue').click();
  await expect(code()).toBeVisible();
  const firstCode = await code().textContent();
  await page.reload();
  await expect(code()).toHaveText(firstCode ?? '');
  await page.goBack();
  await expect(name()).toHaveValue('Mum’s labtop');
  await name().fill('Mum’s laptop');
  await button('Continue').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Protect Mum’s laptop');
  await expect(code()).toHaveText(firstCode ?? '');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(urlOf('machine'));
  await button('This device').click();
  await expect(name()).toHaveValue('Mum’s laptop');
  await page.getByRole('radio', { name: /^Permissive/ }).check();
  await button('Continue').click();
  await expect(page).toHaveURL(urlOf('download'));
  await expect(code()).toHaveText(firstCode ?? '');
  expect(await devices()).toMatchObject([{ name: 'Mum’s laptop', policy: 'permissive', login_code: firstCode }]);
  expect(bodies).toEqual([
    { name: 'Mum’s labtop', policy: 'strict' },
    { name: 'Mum’s laptop', policy: 'strict' },
    { name: 'Mum’s laptop', policy: 'permissive' },
  ]);

  await call(world.url, 'DELETE /web/devices/:uuid', { token: ann.token, params: { uuid: (await devices())[0]?.uuid ?? '' } });
  await page.goBack();
  await name().fill('Kitchen PC');
  await button('Continue').click();
  await expect(code()).toHaveText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  await expect(code()).not.toHaveText(firstCode ?? '');
  expect(await devices()).toMatchObject([{ name: 'Kitchen PC' }]);
});

test('a device that cannot be created shows the reason, and Try again works once the limit allows it', async () => {
  await choose('Another device');
  for (let i = 0; i < 5; i++)
    await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: `PC ${i}`, policy: null } });
  await name().fill('One too many');
  await button('Continue').click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveText(/device/);
  await expect(link('Continue to dashboard')).toBeVisible();
  await checkScreen(page);
  await call(world.url, 'DELETE /web/devices/:uuid', { token: ann.token, params: { uuid: (await devices())[0]?.uuid ?? '' } });
  await button('Try again').click();
  await expect(code()).toBeVisible();
});

test('[2.69] on a computer that is already protected, This device leads to the send step with a note that it is for another computer', async () => {
  const agent = await routeLoopback(page, linked);
  const steps: string[] = [];
  page.on('framenavigated', (frame) => steps.push(new URL(frame.url()).search));
  await choose('This device');
  const note = page.getByText(/^Porchlight protects this computer already\. So this is for another one/);
  await expect(note).toBeVisible();
  expect(agent.asked).toBe(1);
  // The first step leads through the policy step, because sending needs the name too.
  expect(steps.slice(-2)).toEqual(['?step=send', '?step=policy']);
  await checkScreen(page);
  await name().fill('Mum’s laptop');
  await button('Continue').click();
  await expect(page).toHaveURL(urlOf('send'));
  await expect(page.getByText('Send this to the person at the other computer', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Connect automatically' })).toHaveCount(0);
  expect(agent.asked).toBe(1);

  await choose('Another device');
  await expect(name()).toBeVisible();
  await expect(note).toHaveCount(0);
});

test('[2.69] [2.70] in guest mode, without an agent, or with an agent that does not answer, the set-up of this computer begins', async () => {
  for (const status of [guest, null, 'hangs', { g: false, l: false, v: '1.0.0' }, { g: true, l: true, v: '1.0.0' }] as const) {
    // The last step polls the agent, and must not poll this one.
    await page.goto('about:blank');
    await page.unrouteAll();
    const agent = await routeLoopback(page, status);
    await choose('This device');
    await expect(page).toHaveURL(urlOf('policy'));
    await expect(name()).toBeVisible();
    await expect(page.getByText(/protects this computer already/)).toHaveCount(0);
    // One status request for the choice, another for the compatibility check: the test runs on Linux.
    await expect.poll(() => agent.asked).toBe(2);
    await name().fill('Den PC');
    await button('Continue').click();
    await expect(page).toHaveURL(urlOf('download'));
    await expect(code()).toBeVisible();
    await call(world.url, 'DELETE /web/devices/:uuid', { token: ann.token, params: { uuid: (await devices())[0]?.uuid ?? '' } });
  }
});

test('[2.70] a user who cancels while the agent is polled stays on the page they went to', async () => {
  await page.clock.install();
  await routeLoopback(page, 'hangs');
  await page.goto(urlOf('machine'));
  await expect(button('This device')).toBeVisible();
  // The agent has 500 ms to answer, which pass only after the step is gone.
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  const requestPromise = page.waitForRequest(/23407/);
  await button('This device').click();
  await requestPromise;
  await expect(button('Another device')).toBeDisabled();
  const abortedRequest = page.waitForEvent('requestfailed', (request) => request.url().includes('23407'));
  await link('Cancel').click();
  await expect(button('This device')).toHaveCount(0);
  await page.clock.runFor(limits.local_app_poll);
  await abortedRequest;
  await page.clock.resume();
  await expect(page.getByRole('heading', { name: /^Your devices/ })).toBeVisible();
  await expect(page).toHaveURL(world.dashboardUrl);
});

test.describe('who looks up website names', () => {
  const offer = () => page.getByRole('region', { name: 'Who should look up website names?' });
  const reach = async () => {
    await choose('Another device');
    await name().fill('Mum’s laptop');
    await button('Continue').click();
    await expect(code()).toBeVisible();
  };
  const chosen = () => call(world.url, 'GET /web/browsing-protection', { token: ann.token });
  /** The page knows what was chosen, and shows what follows, once it polls the device after that. */
  const isNotAsked = async (visit: () => Promise<unknown>) => {
    const known = page.waitForResponse(/\/web\/browsing-protection$/).then(() => page.waitForResponse(/\/web\/devices/));
    await visit();
    await known;
    await expect(code()).toBeVisible();
    await expect(offer()).toHaveCount(0);
  };

  for (const [answer, resolver, host] of [
    ['My internet provider', 'network', null],
    ['Quad9', 'quad9', 'dns.quad9.net'],
  ] as const) {
    test(`[P16.6] is asked when a device is added, neither answer first, and not again after “${answer}”`, async () => {
      await reach();
      await expect(offer().getByRole('button')).toHaveText(['My internet provider', 'Quad9']);
      await expect(offer()).toContainText('Your internet provider sees the name of every website');
      await expect(offer()).toContainText('Quad9, a nonprofit in Switzerland, sees the name of every website');
      for (const one of await offer().getByRole('button').all()) await expect(one).toHaveClass('btn quiet');
      await checkScreen(page);
      expect(await chosen()).toMatchObject({ resolver: 'network', resolver_chosen: false });
      const { agent_token } = await call(world.url, 'POST /agent/enrol', {
        body: { code: await code().innerText(), enrol_id: randomUUID(), info: agentInfo },
      });
      await button(answer).click();
      await expect(offer().getByRole('status')).toHaveText('Saved. We won’t ask again.');
      await expect(offer().getByRole('status')).toBeFocused();
      expect(await chosen()).toMatchObject({ resolver, resolver_chosen: true });
      const { policy } = await call(world.url, 'GET /agent/policy', { token: agent_token });
      expect(JSON.parse(policy.payload).resolver?.host ?? null).toBe(host);
      await isNotAsked(reach);
    });
  }

  test('[P16.6] is not asked where somebody has chosen it in the settings, and is where they changed something else', async () => {
    const set = (body: object) => call(world.url, 'PATCH /web/browsing-protection', { token: ann.token, body });
    await set({ browsers: false });
    await reach();
    await expect(offer()).toBeVisible();
    await set({ resolver: 'cloudflare' });
    await isNotAsked(() => page.reload());
  });
});
