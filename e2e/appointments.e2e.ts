import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { agentInfo, checkInBody } from '@porchlight/server/testing/agent-info.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { inviteGuardian } from './lib/guardians.ts';
import { linkedDevice, provenPhone, registeredPerson } from './lib/people.ts';
import { mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

let numbers = 0;
const codesTo = async (number: string) =>
  (await world.texts()).flatMap(({ to, body }) => (to === number ? (/\b\d{6}\b/.exec(body)?.[0] ?? []) : []));
const cards = (page: Page) => page.getByRole('region', { name: /is helping on/ });
const helpNow = (page: Page) => page.getByRole('region', { name: 'I’m helping now' });

/** Bob’s page, with a number that proves him. */
async function bobsPage(browser: Parameters<typeof pageOf>[0], person: { token: string }) {
  const [bob, email, number] = [await pageOf(browser, world, null), `bob-${randomUUID()}@example.org`, `+1202555${3000 + numbers++}`];
  await inviteGuardian(bob, world, person, 'Bob Example', email);
  await provenPhone(world, new URL(bob.url()).pathname.split('/').at(-1) ?? '', number);
  await bob.reload();
  return { bob, number };
}

test('[P15.1] a guardian opens the page, presses twice and enters a code: everyone’s pages say who helps, and the holder ends it', async ({
  browser,
}) => {
  const person = await registeredPerson(world);
  const [den] = [await linkedDevice(world, person), await linkedDevice(world, person, 'Kitchen PC')];
  const { bob, number } = await bobsPage(browser, person);
  await bob.getByRole('heading', { name: 'Do something now' }).click();
  await helpNow(bob).getByRole('button', { name: 'I’m helping now' }).click();
  await expect(helpNow(bob).getByLabel('On which computer?')).toBeFocused();
  await expect(helpNow(bob).getByLabel('With which program?')).toHaveValue('teamviewer');
  await expect(helpNow(bob).getByRole('radio', { name: 'An hour' })).toBeChecked();
  await checkScreen(bob);
  await checkScreenZoomed(bob);
  await helpNow(bob).getByRole('button', { name: 'I’m helping now' }).click();
  await expect.poll(async () => (await codesTo(number)).length).toBe(1);
  const proof = bob.getByRole('dialog', { name: 'I’m helping now' });
  await proof.getByLabel('The six digits').fill((await codesTo(number)).at(-1) ?? '');
  await bob.keyboard.press('Enter');
  await expect(helpNow(bob)).toContainText('Open. Start the program there now.');
  await expect(cards(bob)).toContainText('Bob is helping on Den PC', { timeout: 15_000 });

  const ann = await pageOf(browser, world, person);
  await ann.goto(world.dashboardUrl);
  await expect(cards(ann)).toContainText('Bob is helping on Den PC');
  await expect(cards(ann)).toContainText(/With TeamViewer, until today at \d/);
  await checkScreen(ann);
  await ann.goto(`${world.dashboardUrl}/devices/${den.uuid}`);
  await expect(cards(ann)).toHaveCount(1);
  // On her own computer she opens nothing.
  await expect(helpNow(ann)).toHaveCount(0);
  await cards(ann).getByRole('button', { name: 'End it now' }).click();
  await expect(cards(ann)).toHaveCount(0);
  expect((await call(world.url, 'GET /web/appointments', { token: person.token })).items).toEqual([]);
  const mail = await mailTo(world, person.email, /Bob opened Den PC/);
  expect(mail.text).toContain('Bob opened Den PC for a while, to help with TeamViewer.');
});

test('[P15.1] the holder opens one on the computer that somebody else uses, and the log takes it back', async ({ browser }) => {
  const person = await registeredPerson(world);
  const { token } = person;
  const mums = await call(world.url, 'POST /web/create-device', {
    token,
    body: { name: 'Mum’s PC', policy: null, person: { name: 'Mum', is_holder: false } },
  });
  await call(world.url, 'POST /agent/enrol', { body: { code: mums.login_code ?? '', enrol_id: randomUUID(), info: agentInfo } });
  const ann = await pageOf(browser, world, person);
  await ann.goto(`${world.dashboardUrl}/devices/${mums.uuid}`);
  await helpNow(ann).getByRole('button', { name: 'I’m helping now' }).click();
  await helpNow(ann).getByRole('radio', { name: '15 minutes' }).check();
  await helpNow(ann).getByRole('checkbox', { name: 'Money pages may open there meanwhile' }).check();
  await helpNow(ann).getByRole('button', { name: 'I’m helping now' }).click();
  await expect(cards(ann)).toContainText('Money pages may open there.', { timeout: 15_000 });
  await ann.goto(`${world.dashboardUrl}/profile/alerts`);
  const entry = ann.getByRole('listitem').filter({ hasText: 'Ann opened Mum’s PC for a while, to help with TeamViewer.' });
  await entry.getByRole('button', { name: 'End it now' }).click();
  await expect(ann.getByText('Done. The program closes there within seconds, if the computer is online.')).toBeVisible();
  expect((await call(world.url, 'GET /web/appointments', { token: person.token })).items).toEqual([]);
});

test('[P15.1] [P10.8] on the first day after a computer changed hands the page says when somebody can help there, and asks for nothing', async ({
  browser,
}) => {
  const person = await registeredPerson(world);
  const body = { name: 'Mum’s PC', policy: null, person: { name: 'Mum', is_holder: false } };
  const mums = await call(world.url, 'POST /web/create-device', { token: person.token, body });
  const { agent_token } = await call(world.url, 'POST /agent/enrol', {
    body: { code: mums.login_code ?? '', enrol_id: randomUUID(), info: agentInfo },
  });
  await call(world.url, 'POST /agent/check-in', { token: agent_token, body: { ...checkInBody, strict_for: 12 * 3_600_000 } });
  const ann = await pageOf(browser, world, person);
  await ann.goto(`${world.dashboardUrl}/devices/${mums.uuid}`);
  await helpNow(ann).getByRole('button', { name: 'I’m helping now' }).click();
  await expect(helpNow(ann)).toContainText(
    /This computer is new here and stays on Strict for a day\. Something can be allowed there (at|tomorrow at) /,
  );
  await expect(helpNow(ann).getByRole('button')).toHaveText(['Cancel']);
  await checkScreen(ann);
});
