import { expect, type Page } from '@playwright/test';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { call } from '@porchlight/dev/call.ts';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { hasEnded, type Threats, threats } from './lib/fake-threats.ts';
import { mailTo } from './lib/screens.ts';
import { test } from './lib/test.ts';
import { type WindowAgent, windowAgent } from './lib/window-agent.ts';

/** What the person at the computer sees and presses, from not linked to paused and back: one story, told in order. */
test.describe.configure({ mode: 'serial' });

const minute = 60_000;
let world: World;
let ann: Person;
let agent: WindowAgent;
let window: Page;
let programs: Threats;
let pin: string;

test.beforeAll(async ({ browser }) => {
  world = await startWorld();
  ann = await registeredPerson(world, 'Ann Example');
  pin = (await call(world.url, 'GET /web/bypasspassword', { token: ann.token })).bypass_password;
  programs = await threats(['AnyDesk', 'TeamViewer']);
  agent = await windowAgent(world);
  window = await (await browser.newContext()).newPage();
});
test.afterAll(async () => {
  await agent?.close();
  await programs?.close();
  await world?.close();
});

const heading = (name: string | RegExp) => window.getByRole('heading', { level: 1, name });
const press = (name: string) => window.getByRole('button', { name, exact: true }).click();
const follow = (name: string) => window.getByRole('link', { name, exact: true }).click();
const alert = () => window.getByRole('alert');
/** Goes to what has this name by the tab key alone. */
const tabTo = async (role: 'button' | 'link' | 'textbox' | 'checkbox' | 'radio', name: string) => {
  await expect(async () => {
    await window.keyboard.press('Tab');
    await expect(window.getByRole(role, { name, exact: true })).toBeFocused({ timeout: 100 });
  }).toPass({ intervals: [0] });
};
const stands = async (name: string) => {
  await checkScreen(window);
  await checkScreenZoomed(window);
  if (process.env.PICTURES) await pictures(name);
};
const pictures = async (name: string) => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [420, 1280]) {
      await window.emulateMedia({ colorScheme });
      await window.setViewportSize({ width, height: 844 });
      await window.screenshot({ path: `${process.env.PICTURES}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
};
const linkedByCode = async (name: string) =>
  (await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name } })).login_code;
const runs = async (name: string) => {
  const program = programs.run(name);
  await expect.poll(() => hasEnded(program), { timeout: 5000 }).toBe(true);
};

test('a computer that belongs to nobody says that it is not protected, and asks for the code', async () => {
  await agent.open(window);
  await expect(heading('This computer is not protected yet')).toBeVisible();
  await stands('unlinked');
});

test('a code that is not known, and a server that does not answer, are said in a sentence, and what was typed stays', async () => {
  const field = window.getByLabel('Your code');
  await field.fill('abcd efgh');
  await press('Connect');
  await expect(alert()).toContainText('code');
  await expect(field).toHaveValue('abcd efgh');
  await stands('wrong-code');
  await world.stopServer();
  await press('Connect');
  await expect(alert()).toHaveText('We can’t reach our server. Is this computer connected to the internet? Try again in a minute.');
  await world.startServer();
});

test('the code is typed, by the keyboard alone, and the computer is protected', async () => {
  const code = await linkedByCode('Den PC');
  await agent.open(window);
  await tabTo('textbox', 'Your code');
  await window.keyboard.type(code.toLowerCase().replace('-', ' '));
  await window.keyboard.press('Enter');
  await expect(heading('This computer is protected')).toBeVisible();
  await expect(window.getByText('Its name on the dashboard is Den PC.')).toBeVisible();
  await expect(window.getByRole('status')).toHaveText('Connected.');
  const { devices } = await call(world.url, 'GET /web/devices', { token: ann.token });
  expect(devices.map(({ name, login_code }) => [name, login_code])).toEqual([['Den PC', undefined]]);
  await agent.open(window);
  await stands('protected');
});

test('[P4.4] a program is stopped: the open window turns into the calm screen by itself, with its four parts', async () => {
  await agent.open(window);
  await runs('AnyDesk');
  await expect(heading('We stopped what looks like AnyDesk')).toBeVisible();
  await expect(window).toHaveTitle('We stopped what looks like AnyDesk');
  await expect(window.getByText('Hang up the phone.', { exact: true })).toBeVisible();
  await expect(window.getByText('Call someone you trust', { exact: true })).toBeVisible();
  await expect(window.getByText('We wrote to you.')).toBeVisible({ timeout: 15_000 });
  await mailTo(world, ann.email, /AnyDesk was blocked on Den PC/);
  await expect(window.getByText(/You are safe|your family/)).toHaveCount(0);
  await expect(window.getByRole('link', { name: 'Pause protection' })).toHaveCount(0);
  await expect(window.getByText('What we did', { exact: true })).toBeHidden();
  await stands('calm');
  await window.getByText('See what happened').click();
  const asked = () => window.waitForResponse((answer) => answer.url().endsWith('/'));
  await asked();
  await asked();
  for (const part of ['What happened', 'What we did', 'Is it over?', 'What to do now'])
    await expect(window.getByText(part, { exact: true })).toBeVisible();
  await expect(window.getByText('See what happened')).toBeFocused();
  await stands('calm-open');
  expect(agent.opened.length).toBeGreaterThan(1);
});

test('“I asked for this” allows nothing, is told once, and says who can say yes', async () => {
  await press('I asked for this');
  await expect(window.getByText('It stays blocked until Ann allows it.', { exact: true })).toBeVisible();
  await expect(window.getByText(/under Den PC, Allow List, AnyDesk/)).toBeVisible();
  await expect(window.getByRole('button', { name: 'I asked for this' })).toHaveCount(0);
  await mailTo(world, ann.email, /^Somebody on Den PC asked to use AnyDesk$/);
  await runs('AnyDesk');
  await window.getByText('See what happened').click();
  await expect(window.getByText(/It has happened 2 times so far/)).toBeVisible();
  await stands('asked');
});

test('[P4.6] [P2.6] a pause is refused without the tick and with a wrong PIN; after five wrong ones none is taken', async () => {
  await follow('About this computer');
  await follow('Pause protection');
  await expect(heading('Pause protection')).toBeVisible();
  await stands('pause');
  await window.getByLabel('The Admin PIN').fill('000000');
  await press('Pause');
  // The browser itself asks for the tick, and nothing was tried.
  await expect(heading('Pause protection')).toBeVisible();
  await expect(alert()).toHaveCount(0);
  const wrong = async () => {
    await window.getByLabel('The Admin PIN').fill('000000');
    await window.getByLabel(/^I understand/).check();
    await press('Pause');
  };
  for (const left of [4, 3, 2]) {
    await wrong();
    await expect(alert()).toHaveText(`That is not the PIN. You can try ${left} more times.`);
  }
  await stands('wrong-pin');
  await wrong();
  await expect(alert()).toHaveText('That is not the PIN. You can try once more.');
  await wrong();
  await expect(alert()).toHaveText(/^Too many wrong PINs. You can try again in 15 minutes./);
  await stands('locked');
  await window.getByLabel('The Admin PIN').fill(pin);
  await window.getByLabel(/^I understand/).check();
  await press('Pause');
  await expect(alert()).toHaveText(/You can try again in 1\d minutes/);
  await mailTo(world, ann.email, /^Somebody typed 5 wrong Admin PINs on Den PC$/);
  await runs('TeamViewer');
  agent.passes(agentLimits.pin_lock);
});

test('[P4.6] with the right one, by the keyboard alone, it is paused, counted down, told, and ends by itself', async () => {
  await agent.open(window);
  await follow('About this computer');
  await tabTo('link', 'Pause protection');
  await window.keyboard.press('Enter');
  await tabTo('radio', '5 minutes');
  await window.keyboard.press('ArrowDown');
  await expect(window.getByRole('radio', { name: '10 minutes' })).toBeChecked();
  await tabTo('textbox', 'The Admin PIN');
  await window.keyboard.type(pin);
  await tabTo('checkbox', 'I understand that nothing protects this computer during the pause');
  await window.keyboard.press('Space');
  await tabTo('button', 'Pause');
  await window.keyboard.press('Enter');
  await expect(window.getByRole('heading', { name: 'Protection is paused' })).toBeVisible();
  const clock = window.getByRole('timer');
  await expect(clock).toHaveText(/^(10:00|9:5\d)$/);
  const program = programs.run('AnyDesk');
  await mailTo(world, ann.email, /^Protection on Den PC was paused until /);
  agent.passes(4 * minute);
  await expect(clock).toHaveText(/^5:[0-5]\d$/);
  await expect(window.getByText('Protection turns back on in 6 minutes.')).toBeVisible();
  await stands('paused');
  expect(hasEnded(program)).toBe(false);
  agent.passes(6 * minute);
  await expect.poll(() => hasEnded(program), { timeout: 5000 }).toBe(true);
  await expect(window.getByRole('heading', { name: 'Protection is paused' })).toHaveCount(0);
  expect(agent.said).toContain('The pause is over. Protection is on again.');
});

test('[P4.6] it ends at once when the person says so', async () => {
  await follow('About this computer');
  await follow('Pause protection');
  await window.getByRole('radio', { name: '60 minutes' }).check();
  await window.getByLabel('The Admin PIN').fill(pin);
  await window.getByLabel(/^I understand/).check();
  await press('Pause');
  await expect(window.getByRole('timer')).toBeVisible();
  const program = programs.run('TeamViewer');
  await press('Resume now');
  await expect(window.getByRole('timer')).toHaveCount(0);
  await expect.poll(() => hasEnded(program), { timeout: 5000 }).toBe(true);
});

test('a day later the calm screen is over; about this computer, and how it is removed, stand on pages of their own', async () => {
  agent.passes(24 * 60 * minute);
  await agent.open(window);
  await expect(heading('This computer is protected')).toBeVisible();
  await follow('About this computer');
  await expect(heading('This computer')).toBeVisible();
  for (const text of ['Den PC', '1.0.0', /^Remote-control programs: blocked\. Deceptive programs: blocked\./])
    await expect(window.getByText(text, typeof text === 'string' ? { exact: true } : {})).toBeVisible();
  await stands('settings');
  await follow('Remove the program');
  await expect(window.getByText('It asks for the Admin PIN.')).toBeVisible();
  await stands('uninstall');
  await follow('Back');
  await expect(heading('This computer is protected')).toBeVisible();
});

test('with the server away it stays protected, says so, and does not say that anybody was told before they were', async () => {
  await agent.open(window);
  await world.stopServer();
  await runs('TeamViewer');
  await expect(heading('We stopped what looks like TeamViewer')).toBeVisible();
  await expect(window.getByText(/We (told|wrote|will tell)/)).toHaveCount(0);
  agent.passes(6 * minute);
  await expect(window.getByText(/^We have not reached our server since \d+:\d\d [AP]M\. We still protect this computer\.$/)).toBeVisible();
  await stands('away');
  await world.startServer();
  await expect(window.getByText('We wrote to you.')).toBeVisible({ timeout: 40_000 });
  await expect(window.getByText(/We have not reached our server/)).toHaveCount(0);
  await mailTo(world, ann.email, /TeamViewer was blocked on Den PC/);
});

test('removed on the dashboard, the open window says so, and asks for a new code', async () => {
  agent.passes(24 * 60 * minute);
  await agent.open(window);
  const { devices } = await call(world.url, 'GET /web/devices', { token: ann.token });
  await call(world.url, 'DELETE /web/devices/:uuid', { token: ann.token, params: { uuid: devices[0]?.uuid ?? '' } });
  await expect(heading('This computer was removed from its account')).toBeVisible({ timeout: 15_000 });
  await stands('removed');
});

test('when the agent is gone, an open window does not go on saying what it knew', async () => {
  await agent.close();
  await expect(alert()).toHaveText(/^Porchlight is not answering/);
});
