import { expect, type Page } from '@playwright/test';
import { checkScreen } from '../lib/accessibility.ts';
import { test } from './component.ts';

const denPc = '11111111-1111-4111-8111-111111111111';
const laptop = '22222222-2222-4222-8222-222222222222';
const uuid = '44444444-4444-4444-8444-444444444444';
/** The clock of these tests, at noon. */
const noon = new Date('2026-11-21T12:00:00');
const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000).toISOString();
const stopped = { uuid, by: 'Bob', since: noon.toISOString(), until: later(24 * 60) };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const lines = (page: Page) => page.getByRole('listitem');

/** Answers the call for help once released. */
async function answeringHelp(page: Page) {
  const asked: unknown[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/web/help', async (route) => {
    asked.push(route.request().postDataJSON());
    await released;
    return route.fulfill({ json: { incident: uuid } });
  });
  return { asked, release };
}

test('[P9.5] one press shows the four lines at once, and who is being reached only once that is known', async ({ open, page }) => {
  const { asked, release } = await answeringHelp(page);
  await open('help');
  await button(page, 'I need help now').click();
  await expect(lines(page)).toHaveText([/^Hang up/, /^Did someone move the mouse\?/, /^Call the bank/, /^We are asking for help/]);
  await expect(page.getByRole('status').filter({ hasText: 'Do these four things now' })).toBeFocused();
  await expect(page.getByRole('link')).toHaveCount(0);
  release();
  await expect(lines(page).nth(3)).toContainText('We are trying to reach Bob');
  await expect(page.getByRole('link', { name: 'See what happened' })).toHaveAttribute('href', `/incident/${uuid}`);
  expect(asked).toEqual([{ device: denPc }]);
  await checkScreen(page);
  await button(page, 'Close').click();
  await expect(button(page, 'I need help now')).toBeFocused();
});

test('[P9.5] with several computers each has a button, and the lines are for who uses the computer', async ({ open, page }) => {
  const { asked, release } = await answeringHelp(page);
  release();
  await open('help-several');
  await checkScreen(page);
  await button(page, 'I need help now: Mum’s laptop').click();
  await expect(lines(page).first()).toContainText('Get Mum off the phone');
  await expect(lines(page).nth(3)).toContainText('We are trying to reach Bob and Carol');
  expect(asked).toEqual([{ device: laptop }]);
});

test('[P9.5] without a guardian the fourth line names nobody, and without a computer nothing is sent', async ({ open, page }) => {
  const { asked, release } = await answeringHelp(page);
  release();
  await open('help-alone');
  await button(page, 'I need help now').click();
  await expect(lines(page).nth(3)).toHaveText('Call someone you trustWe have nobody to write to for you yet.');
  expect(asked).toEqual([{ device: denPc }]);
  await page.goto('about:blank');
  await open('help-without-device');
  await button(page, 'I need help now').click();
  await expect(lines(page).nth(3)).toContainText('Call Bob');
  expect(asked).toHaveLength(1);
});

test('[P9.5] a call for help that fails is shown as failed, with whom to call, and can be sent again', async ({ open, page }) => {
  await page.route('**/api/web/help', (route) => route.abort());
  await open('help');
  await button(page, 'I need help now').click();
  await expect(lines(page).nth(3)).toHaveText('Call BobOur message didn’t go out.');
  await checkScreen(page);
  await page.route('**/api/web/help', (route) => route.fulfill({ json: { incident: uuid } }));
  await button(page, 'Send for help again').click();
  await expect(lines(page).nth(3)).toContainText('We are trying to reach Bob');
});

test('[P10.6] the banners name who did what, until when, and lead to the incident', async ({ open, page }) => {
  await page.clock.install({ time: noon });
  const at = { uuid: denPc, name: 'Den PC' };
  const stops = [
    { ...stopped, device: null },
    { ...stopped, uuid: laptop, by: 'Den PC', until: later(60), device: at },
  ];
  const isolations = [{ uuid, by: 'Bob', until: later(15), may_end: true, in_force: true, put_back: 0, device: at }];
  const lost = { ...isolations[0], uuid: denPc, in_force: false };
  await page.route('**/api/web/emergency', (route) => route.fulfill({ json: { stops, isolations: [...isolations, lost] } }));
  const incident = { uuid, device: { ...at, person: null }, state: 'open', words: 'x', opened: noon.toISOString(), ends: later(60) };
  await page.route('**/api/web/incidents?*', (route) => route.fulfill({ json: { items: [incident], older: false } }));
  await open('emergency-banners');
  await expect(page.getByRole('status')).toHaveText([
    /^Bob stopped everything on our list, on every computer, until tomorrow at 12:00 PM\./,
    /^Someone asked for help at Den PC\. Everything on our list is stopped there until today at 1:00 PM\./,
    /^Bob cut the internet on Den PC\. It comes back on its own today at 12:15 PM\. You can end it earlier at that computer\./,
    /^Bob wanted to cut the internet on Den PC, but it is not cut right now\. Something there keeps us from it\./,
  ]);
  for (const link of await page.getByRole('link').all()) await expect(link).toHaveAttribute('href', `/incident/${uuid}`);
});

test('[P10.6] without anything in force there is no banner', async ({ open, page }) => {
  const asked = page.waitForResponse('**/api/web/emergency');
  await page.route('**/api/web/emergency', (route) => route.fulfill({ json: { stops: [], isolations: [] } }));
  await open('emergency-banners');
  await asked;
  await expect(page.getByRole('status')).toHaveCount(0);
});

test('[P10.6] May cut the internet there is a switch, whose sentence says what holds until the holder chooses', async ({ open, page }) => {
  const sent: unknown[] = [];
  await page.route('**/api/web/guardians/*', (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ json: {} });
  });
  await open('guardian-row');
  const may = page.getByRole('switch', { name: 'May cut the internet there' });
  await expect(may).not.toBeChecked();
  await expect(may).toHaveAccessibleDescription('Not chosen yet: Bob can do it only on a computer that someone else uses.');
  await may.click();
  await expect(page.getByText('Bob may cut the internet there now.')).toBeVisible();
  expect(sent).toEqual([{ may_isolate: true }]);
  await button(page, 'Saved on').click();
  await expect(may).toBeChecked();
  await expect(may).toHaveAccessibleDescription(
    'Bob can cut the internet on your computers for 15 minutes, twice a day at most. You see who did it.',
  );
  await button(page, 'Saved off').click();
  await expect(may).toHaveAccessibleDescription('Bob cannot cut the internet on your computers.');
});
