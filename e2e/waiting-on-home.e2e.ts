import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { answerRequest, inviteGuardian } from './lib/guardians.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

/** The change waits, since a program was stopped. */
async function weaken({ token }: { token: string }, device: string): Promise<void> {
  const change = call(world.url, 'POST /web/devices/:uuid', {
    token,
    params: { uuid: device },
    body: { name: 'Den PC', policy: 'permissive' },
  });
  await expect(change).rejects.toThrow();
}

const cards = (page: Page) => page.getByRole('region', { name: /^You want to put Den PC on Permissive/ });

test('[P15.8] what waits is on home, in the row of its device and on its pages; it names the end after it was taken back', async ({
  browser,
}) => {
  const person = await registeredPerson(world);
  const [den, other] = [await linkedDevice(world, person), await linkedDevice(world, person, 'Kitchen PC')];
  const [ann, bob, email] = [await pageOf(browser, world, person), await pageOf(browser, world, null), `bob-${randomUUID()}@example.org`];
  await inviteGuardian(bob, world, person, 'Bob Example', email);
  await reportAlert(world, den);
  await ann.goto(world.dashboardUrl);
  await expect(ann.getByRole('heading', { name: 'Your devices' })).toBeVisible();
  await expect(cards(ann)).toHaveCount(0);
  await weaken(person, den.uuid);
  await ann.reload();

  await expect(cards(ann)).toContainText('Waiting for Bob');
  await expect(cards(ann)).toContainText('We do it after a yes. You don’t have to wait here.');
  const row = (name: string) => ann.getByRole('listitem').filter({ hasText: name });
  await expect(row('Den PC')).toContainText('Waiting for Bob');
  await expect(row('Kitchen PC')).not.toContainText('Waiting');
  await checkScreen(ann);
  await ann.goto(`${world.dashboardUrl}/devices/${other.uuid}`);
  await expect(ann.getByRole('heading', { name: 'Kitchen PC' })).toBeVisible();
  await expect(cards(ann)).toHaveCount(0);
  await ann.goto(`${world.dashboardUrl}/devices/${den.uuid}`);
  await cards(ann).getByRole('button', { name: 'Take it back' }).click();
  await expect(cards(ann)).toContainText('You took it back. Nothing has changed.');
  await expect(cards(ann).getByRole('button')).toHaveCount(0);
});

test('[P15.8] home names the guardian who answered no', async ({ browser }) => {
  const person = await registeredPerson(world);
  const den = await linkedDevice(world, person);
  const [ann, bob, email] = [await pageOf(browser, world, person), await pageOf(browser, world, null), `bob-${randomUUID()}@example.org`];
  await inviteGuardian(bob, world, person, 'Bob Example', email);
  await reportAlert(world, den);
  await weaken(person, den.uuid);
  await ann.goto(world.dashboardUrl);
  await expect(cards(ann)).toContainText('Waiting for Bob');
  await answerRequest(bob, world, email, /Ann wants to put Den PC on Permissive/, 'no');
  await expect(cards(ann)).toContainText('Bob said no. Nothing has changed.');
  await expect(cards(ann).getByRole('button')).toHaveCount(0);
});
