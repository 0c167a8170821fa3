import { expect, type Page } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { bobs, later, openGate, pressRenew, waitingDialog } from './lib/held-request-gate.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
let page: Page;
withAnn(
  (signedIn) => {
    ({ world, ann, page } = signedIn);
  },
  { once: true },
);
test.afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

test('[P15.8] a change that the server makes itself: leaving says so, and a change that is done meanwhile is on the page', async () => {
  const gate = await openGate(page, world.dashboardUrl, ann.password, { by_server: true });
  await expect(waitingDialog(page)).toBeVisible();
  await later(page).click();
  const words = 'Nothing has changed yet. We do it when Bob says yes. You don’t have to wait here.';
  await expect(page.getByRole('status').filter({ hasText: words })).toBeVisible();
  await pressRenew(page);
  await expect(waitingDialog(page)).toBeVisible();
  const readAgain = page.waitForRequest((request) => request.method() === 'GET' && request.url().endsWith('/api/web/profile'));
  gate.request = { ...gate.request, state: 'done', answers: bobs('yes') };
  await readAgain;
  await page.getByRole('dialog', { name: 'It is done' }).getByRole('button', { name: 'OK' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Bob said yes, and we did it.' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(gate.attempts).toBe(2);
});

test('[P15.8] Take it back ends the wait, and nobody has to answer', async () => {
  const gate = await openGate(page, world.dashboardUrl, ann.password, { by_server: true });
  await waitingDialog(page).getByRole('button', { name: 'Take it back' }).click();
  await expect(page.getByRole('dialog', { name: 'You took it back' }).getByRole('status')).toHaveText(
    'You took it back. Nothing has changed.',
  );
  expect(gate.answers).toEqual([{ answer: 'no' }]);
  expect(gate.attempts).toBe(1);
});
