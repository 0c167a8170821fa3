import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { linked, routeLoopback } from './lib/loopback-routes.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let page: Page;
withAnn((signedIn) => {
  ({ world, page } = signedIn);
});

const waits = (asked: string[]) => ({
  status: 409,
  json: {
    error: 'Your family is asked first. Nothing has changed yet.',
    code: 'held',
    request: randomUUID(),
    until: new Date(Date.now() + 24 * 3_600_000).toISOString(),
    asked,
    because: 'We stopped AnyDesk on Den PC at 2:05 PM.',
    request_id: randomUUID(),
  },
});

test('a new email address that has to wait is explained on the page of its link, where Try again repeats the call', async () => {
  let passes = false;
  await page.route('**/api/confirm-email-change', (route) =>
    route.fulfill(passes ? { json: { done: 'changed', already_confirmed: true } } : waits(['Bob', 'Sue'])),
  );
  await page.goto(`${world.dashboardUrl}/confirm-email-change/some-token`);
  await page.getByRole('button', { name: 'Confirm my new email address' }).click();
  await expect(page.getByText('If someone on the phone told you to do this, hang up.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'We asked Bob and Sue' })).toBeVisible();
  await expect(page.getByText('When one of them says yes, press Try again.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await checkScreen(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveText('There is no answer yet.');
  passes = true;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Your new email address is already confirmed.')).toBeVisible();
});

test('Ask first is on at one press; switching it off is confirmed, may have to wait, and stays on until then', async () => {
  let saved = false;
  let passes = false;
  const sent: unknown[] = [];
  await page.route('**/api/web/holding', (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: { ask_first: saved } });
    const body = route.request().postDataJSON() as { ask_first: boolean };
    sent.push(body);
    if (!body.ask_first && !passes) return route.fulfill(waits(['Bob']));
    saved = body.ask_first;
    return route.fulfill({ json: body });
  });
  // The server is busy, so the dialog has no answer to show.
  await page.route('**/api/web/requests/*', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }));
  await page.goto(`${world.dashboardUrl}/profile/alerts`);
  const section = page.getByRole('region', { name: 'Ask first' });
  const box = section.getByRole('switch', { name: 'Ask my guardians first' });
  await expect(box).not.toBeChecked();
  await box.press('Space');
  await expect(box).toBeChecked();
  await expect(section.getByText('From now on we ask your guardians first.')).toBeVisible();
  await checkScreen(page);

  await box.press('Space');
  await page.getByRole('dialog', { name: 'Stop asking first?' }).getByRole('button', { name: 'Stop asking first' }).click();
  await page.getByRole('dialog', { name: 'We asked Bob' }).getByRole('button', { name: 'I’ll come back later' }).click();
  await expect(section.getByRole('status').filter({ hasText: 'Bob still has to answer.' })).toBeVisible();
  await expect(box).toBeChecked();

  passes = true;
  await box.press('Space');
  await page.getByRole('dialog', { name: 'Stop asking first?' }).getByRole('button', { name: 'Stop asking first' }).click();
  await expect(section.getByText('We no longer ask first.')).toBeVisible();
  await expect(box).not.toBeChecked();
  expect(sent).toEqual([{ ask_first: true }, { ask_first: false }, { ask_first: false }]);
});

test('a browser that an agent has answered has the cookie near_agent, and no other browser', async () => {
  const cookie = async () => (await page.context().cookies()).find(({ name }) => name === 'near_agent');
  const agent = await routeLoopback(page, null);
  const chooseThisDevice = async () => {
    await page.goto(`${world.dashboardUrl}/add-device?step=machine`);
    await page.getByText('This device', { exact: true }).click();
  };
  await chooseThisDevice();
  await expect.poll(() => agent.asked).toBeGreaterThan(0);
  expect(await cookie()).toBeUndefined();
  agent.status = linked;
  await chooseThisDevice();
  await expect.poll(cookie).toMatchObject({ value: '1', path: '/', sameSite: 'Strict', secure: false });
  const days = ((await cookie())?.expires ?? 0) / 86_400 - Date.now() / 86_400_000;
  expect(days).toBeGreaterThan(399);
});
