import { expect, type Locator, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let ann: Person;
let page: Page;
let den: string;
let attic: string;

test.beforeAll(async ({ browser }) => {
  ann = await registeredPerson(world);
  den = (await linkedDevice(world, ann, 'Den PC')).uuid;
  attic = (await linkedDevice(world, ann, 'Attic PC')).uuid;
  page = await pageOf(browser, world, ann);
});

const remote = 'Remote-control programs';
const group = (name: string) => page.getByRole('group', { name, exact: true });
const radio = (category: string, action: string) => group(category).getByRole('radio', { name: action });
const form = (name: string) => page.getByRole('form', { name, exact: true });
const save = () => page.getByRole('button', { name: 'Save profile', exact: true });
const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) });
const warning = () => page.getByText(/^Phone scammers get in with a remote-control program\. With this choice we do not stop one\./);
const storedPolicies = async () => (await call(world.url, 'GET /web/policies', { token: ann.token })).custom_policies;
const policyOf = async (id: string) => (await call(world.url, 'GET /web/devices/:id', { token: ann.token, params: { id } })).policy;

const choices = () => page.getByRole('group', { name: 'Protection profile' });
const chosen = (name: string) => choices().getByRole('radio', { name: new RegExp(`^${name}`), checked: true });

test('the settings of a device lead to the profiles, which are empty, and on to making one', async () => {
  await page.goto(`${world.dashboardUrl}/devices/${den}`);
  await page.getByRole('link', { name: 'Make or change profiles of your own' }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/policies`);
  await expect(page.getByRole('heading', { level: 1, name: 'Protection profiles' })).toBeVisible();
  await expect(page.getByText('You have not made a profile of your own. Most people never need one.', { exact: true })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Your own profiles' }).getByRole('listitem')).toHaveCount(0);
  await checkScreen(page);
  await page.getByRole('link', { name: 'Make your own profile' }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/policies/new`);
  await expect(page.getByRole('heading', { level: 1, name: 'Make your own profile' })).toBeVisible();
});

test('each category has three actions with explanations, and starts with Block', async () => {
  const programs = [
    'Block We stop them at once, and tell you and your guardians.',
    'Tell me They keep running. We tell you and your guardians.',
    'Ignore They keep running, and we don’t tell anyone.',
  ];
  const websites = [
    'Block We keep them from opening, and tell you and your guardians.',
    'Tell me They open. We tell you and your guardians.',
    'Ignore They open, and we don’t tell anyone.',
  ];
  for (const [category, explanations] of [
    [remote, programs],
    ['Deceptive programs', programs],
    ['Scam websites', websites],
  ] as const) {
    await expect(group(category).getByRole('radio')).toHaveCount(3);
    await expect(group(category)).toHaveAccessibleDescription(/\w+\.$/);
    for (const [i, name] of explanations.entries()) {
      const radioButton = group(category).getByRole('radio').nth(i);
      await expect(radioButton).toHaveAccessibleName(name);
      expect(await radioButton.isChecked()).toBe(i === 0);
    }
  }
});

test('a calm note appears only if remote-control programs are not blocked', async () => {
  await expect(warning()).toHaveCount(0);
  for (const category of ['Deceptive programs', 'Scam websites']) await radio(category, 'Ignore').check();
  await expect(warning()).toHaveCount(0);
  for (const action of ['Tell me', 'Ignore']) {
    await radio(remote, action).check();
    await expect(group(remote).locator('[aria-live="polite"]').filter({ has: warning() })).toHaveCount(1);
    await radio(remote, 'Block').check();
    await expect(warning()).toHaveCount(0);
  }
});

test('a profile without a name, or with the default’s suffix, is not sent, and the error appears beside the name', async () => {
  const sentRequests: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && sentRequests.push(request.url()));
  const name = page.getByLabel('Name of the profile');
  await expect(name).toHaveAttribute('maxlength', '40');
  for (const [typedText, message] of [
    ['   ', 'Please enter a name'],
    ['Mine (Default)', 'A name cannot end with (Default). Please choose another one.'],
  ] as const) {
    await name.fill(typedText);
    await save().click();
    await expect(page.getByRole('alert')).toHaveText(message);
    await expect(page.getByRole('alert')).toBeFocused();
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await expect(name).toHaveAccessibleDescription(new RegExp(message.replace(/[()]/g, '\\$&')));
    await expect(name).toHaveValue(typedText);
  }
  expect(sentRequests).toEqual([]);
  await radio(remote, 'Ignore').check();
  await checkScreen(page);
  await checkScreenZoomed(page);
});

test('a profile can be made by keyboard alone, and appears in the list with its actions', async () => {
  await page.goto(`${world.dashboardUrl}/policies/new`);
  await tabTo(page.getByLabel('Name of the profile'));
  await page.keyboard.type('Grandson helps');
  await tabTo(radio(remote, 'Block'));
  await page.keyboard.press('ArrowDown');
  await expect(radio(remote, 'Tell me')).toBeChecked();
  await expect(warning()).toBeVisible();
  await tabTo(radio('Deceptive programs', 'Block'));
  await page.keyboard.press('ArrowUp');
  await expect(radio('Deceptive programs', 'Ignore')).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await expect(radio('Deceptive programs', 'Tell me')).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await expect(radio('Deceptive programs', 'Block')).toBeChecked();
  await tabTo(radio('Scam websites', 'Block'));
  await page.keyboard.press('ArrowDown');
  await tabTo(save());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${world.dashboardUrl}/policies`);
  await expect(page.getByRole('main')).toBeFocused();
  await expect(card('Grandson helps')).toContainText(
    'Tells you about remote-control programs and scam websites. Stops deceptive programs.',
  );
  await expect(card('Grandson helps')).toContainText('No device has it');
  expect(await storedPolicies()).toMatchObject([
    { name: 'Grandson helps', actions: { RemoteControl: 'alert', DeceptiveUtility: 'block', ScamWebsite: 'alert' } },
  ]);
  await checkScreen(page);
});

test('a second profile with the same name is refused beside the name, and the choices stay', async () => {
  await page.goto(`${world.dashboardUrl}/policies/new`);
  const name = page.getByLabel('Name of the profile');
  await radio('Deceptive programs', 'Tell me').check();
  for (const typedText of ['GRANDSON helps', 'Strict']) {
    await name.fill(typedText);
    await save().click();
    await expect(page.getByRole('alert')).toHaveText('You have a protection profile with this name already. Choose another name.');
    await expect(name).toHaveAccessibleDescription(/^.*You have a protection profile with this name already/);
    await expect(name).toHaveValue(typedText);
  }
  await expect(radio('Deceptive programs', 'Tell me')).toBeChecked();
  await name.fill('Quiet');
  await save().click();
  await expect(card('Quiet')).toBeVisible();
});

test('[2.80] the settings of a device offer the two fixed profiles and then one’s own, without the default’s suffix', async () => {
  await page.goto(`${world.dashboardUrl}/devices/${den}`);
  await expect(page.getByLabel('Device name')).toHaveValue('Den PC');
  await expect(choices().locator('strong')).toHaveText(['Strict', 'Permissive', 'Grandson helps', 'Quiet']);
  await expect(page.getByText('(Default)')).toHaveCount(0);
  await expect(chosen('Strict')).toHaveCount(1);
  await expect(choices().getByRole('radio', { name: /^Grandson helps/ })).toHaveAccessibleName(
    'Grandson helps Tells you about remote-control programs and scam websites. Stops deceptive programs.',
  );
  for (const id of [den, attic]) {
    await page.goto(`${world.dashboardUrl}/devices/${id}`);
    await choices().getByText('Grandson helps', { exact: true }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Device updated successfully', { exact: true })).toBeVisible();
    await expect(chosen('Grandson helps')).toHaveCount(1);
    expect(await policyOf(id)).toBe((await storedPolicies())[0]?.uuid);
  }
  await checkScreen(page);
});

test('a profile can be edited with a success message, and an invalid address leads to the list', async () => {
  await page.goto(`${world.dashboardUrl}/policies`);
  await expect(card('Grandson helps')).toContainText('2 devices have it');
  await card('Grandson helps').getByRole('link', { name: 'Edit Grandson helps' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Change Grandson helps' })).toBeVisible();
  await expect(radio(remote, 'Tell me')).toBeChecked();
  await expect(radio('Deceptive programs', 'Block')).toBeChecked();
  await expect(radio('Scam websites', 'Tell me')).toBeChecked();
  await expect(warning()).toBeVisible();
  await page.getByLabel('Name of the profile').fill('Quiet');
  await save().click();
  await expect(page.getByRole('alert')).toHaveText('You have a protection profile with this name already. Choose another name.');
  await page.getByLabel('Name of the profile').fill('Grandson may help');
  await radio(remote, 'Block').check();
  await radio('Deceptive programs', 'Ignore').check();
  await save().click();
  await expect(page.getByText('Profile saved. Changes can take up to an hour to reach your devices.', { exact: true })).toBeVisible();
  await expect(form('Change Grandson may help')).toBeVisible();
  await checkScreen(page);
  await page.getByRole('link', { name: 'Back to your profiles' }).click();
  await expect(card('Grandson may help')).toContainText(
    'Stops remote-control programs. Leaves deceptive programs alone. Tells you about scam websites.',
  );
  for (const id of ['11111111-1111-4111-8111-111111111111', 'strict', 'x']) {
    await page.goto(`${world.dashboardUrl}/policies/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Protection profiles' })).toBeVisible();
    await expect(page).toHaveURL(`${world.dashboardUrl}/policies`);
  }
});

test('the input of a profile form is restored after an expired login', async ({ browser }) => {
  const ownPage = await pageOf(browser, world, ann);
  const [{ uuid } = { uuid: '' }] = await storedPolicies();
  await ownPage.goto(`${world.dashboardUrl}/policies/${uuid}`);
  await ownPage.getByLabel('Name of the profile').fill('Typed and not saved');
  await ownPage.getByRole('group', { name: remote }).getByRole('radio', { name: 'Ignore' }).check();
  await ownPage.route('**/api/web/policies/*', (route) => route.fulfill({ status: 401, json: { error: 'x', code: 'unauthorized' } }));
  await ownPage.getByRole('button', { name: 'Save profile' }).click();
  await expect(ownPage.getByText('Your login has expired. Please login again.')).toBeVisible();
  await ownPage.getByLabel('Email').fill(ann.email);
  await ownPage.getByLabel('Password', { exact: true }).fill(ann.password);
  await ownPage.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(ownPage.getByLabel('Name of the profile')).toHaveValue('Typed and not saved');
  await expect(ownPage.getByRole('group', { name: remote }).getByRole('radio', { name: 'Ignore' })).toBeChecked();
  await ownPage.context().close();
});

test('removing a profile says in a confirmation how many devices go back to Strict; No changes nothing, Yes does', async () => {
  // The cached devices must not outlive the profile.
  for (const id of [den, attic]) {
    await page.goto(`${world.dashboardUrl}/devices/${id}`);
    await expect(chosen('Grandson may help')).toHaveCount(1);
  }
  await page.getByRole('link', { name: 'Make or change profiles of your own' }).click();
  const dialog = page.getByRole('dialog');
  const remove = card('Grandson may help').getByRole('button', { name: 'Remove Grandson may help' });
  await remove.click();
  await expect(dialog).toHaveAccessibleName('Remove this profile?');
  await expect(dialog).toHaveAccessibleDescription('Grandson may help is gone then. 2 devices go back to Strict.');
  await expect(dialog.getByRole('button', { name: 'Remove', exact: true })).toHaveClass(/danger/);
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await checkScreen(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect(await storedPolicies()).toHaveLength(2);

  await page.goBack();
  await choices().getByText('Permissive', { exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Device updated successfully', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Make or change profiles of your own' }).click();
  await card('Quiet').getByRole('button', { name: 'Remove Quiet' }).click();
  await expect(dialog).toHaveAccessibleDescription('Quiet is gone then. No device has it.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(card('Grandson may help')).toContainText('1 device has it');
  await remove.click();
  await expect(dialog).toHaveAccessibleDescription('Grandson may help is gone then. 1 device goes back to Strict.');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Grandson may help was removed.' })).toBeVisible();
  await expect(card('Grandson may help')).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Your own profiles' })).toBeFocused();
  expect((await storedPolicies()).map(({ name }) => name)).toEqual(['Quiet']);
  expect([await policyOf(den), await policyOf(attic)]).toEqual(['strict', 'permissive']);
});

test('a device whose profile is removed while its settings are open shows the new profile, and keeps the input', async ({ browser }) => {
  const [{ uuid } = { uuid: '' }] = await storedPolicies();
  const body = { name: 'Den PC', policy: uuid };
  await call(world.url, 'POST /web/devices/:uuid', { token: ann.token, params: { uuid: den }, body });
  await page.goto(`${world.dashboardUrl}/devices/${den}`);
  await expect(chosen('Quiet')).toHaveCount(1);
  await page.getByLabel('Device name').fill('Typed meanwhile');
  const otherPage = await pageOf(browser, world, ann);
  await otherPage.goto(`${world.dashboardUrl}/policies`);
  await otherPage.getByRole('button', { name: 'Remove Quiet' }).click();
  await otherPage.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(otherPage.getByText('Quiet was removed.')).toBeVisible();
  await expect(chosen('Strict')).toHaveCount(1, { timeout: 10_000 });
  await expect(page.getByLabel('Device name')).toHaveValue('Typed meanwhile');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Device updated successfully', { exact: true })).toBeVisible();
  expect(await policyOf(den)).toBe('strict');
  await otherPage.context().close();
});

async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${target.toString()} cannot be reached with Tab`);
}
