import { expect, type Page } from '@playwright/test';
import type { AllowedAfter, Incident } from '@porchlight/contract/incidents.ts';
import { checkScreen } from '../lib/accessibility.ts';
import { test } from './component.ts';

/** The clock of these tests, at noon. */
const noon = new Date('2026-11-21T12:00:00');
const inAnHour = new Date('2026-11-21T13:00:00').toISOString();
const [anydesk, teamviewer, kitchen, waiting] = [1, 2, 3, 4].map((n) => `${n}${'1111111-1111-4111-8111-111111111111'}`) as [
  string,
  string,
  string,
  string,
];
const entry = { device: null, until: null, waits: false, recent: false };
const allowed: AllowedAfter[] = [
  { ...entry, id: anydesk, name: 'AnyDesk', until: inAnHour, recent: true },
  { ...entry, id: waiting, name: 'Zoho Assist', waits: true, recent: true },
  { ...entry, id: teamviewer, name: 'TeamViewer' },
  { ...entry, id: kitchen, name: 'example.com', device: 'Kitchen PC' },
];
const incident: Incident = {
  ...{
    uuid: anydesk,
    device: { uuid: anydesk, name: 'Den PC', person: null },
    state: 'open',
    opened: noon.toISOString(),
    opener: 'started',
  },
  ...{ what: 'AnyDesk', words: 'AnyDesk was started on Den PC.', ends: '2026-11-22T12:00:00.000Z', over_by: null, on_it: [] },
  ...{ account_on_it: null, reader_counts: true, was_me: null, steps: [], events: [], notified: [], requests: [], escalation: null },
  ...{ stopped: 'AnyDesk', may_end: { may: 'yes' }, may_allow: { may: 'yes' }, asks_how: false, allowed_after: allowed },
};

/** Answers the page's calls. Returns what was sent. */
async function answering(page: Page, facts: Partial<Incident> = {}, after: Partial<Incident> = { state: 'watched', allowed_after: [] }) {
  const sent: unknown[] = [];
  await page.clock.install({ time: noon });
  await page.route('**/api/guardian/*/incidents/*', (route) => {
    if (route.request().method() === 'POST') sent.push(route.request().postDataJSON());
    return route.fulfill({ json: { ...incident, ...facts, ...(sent.length ? after : {}) } });
  });
  await page.route('**/api/guardian/*/answer-code', (route) => route.fulfill({ json: {} }));
  return sent;
}

const over = (page: Page) => page.getByRole('button', { name: 'It’s over', exact: true });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Is it over?' });
const box = (page: Page, name: string) => dialog(page).getByRole('checkbox', { name: `Stop allowing ${name}` });

test('[P15.4] before *It’s over* a dialog lists what is allowed then, with its end, and ticks what is recent; the ticks are sent with the same press', async ({
  open,
  page,
}) => {
  const sent = await answering(page);
  await open('guardian-incident');
  await over(page).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(dialog(page).getByRole('region', { name: 'Allowed after this' }).getByRole('listitem')).toHaveText([
    'Stop allowing AnyDesk Allowed until today at 1:00 PM.',
    'Stop allowing Zoho Assist Off until someone says yes.',
    'Stop allowing TeamViewer Allowed until it’s removed.',
    'Stop allowing example.com On Kitchen PC. Allowed until it’s removed.',
  ]);
  for (const name of ['AnyDesk', 'Zoho Assist']) await expect(box(page, name)).toBeChecked();
  for (const name of ['TeamViewer', 'example.com']) await expect(box(page, name)).not.toBeChecked();
  await checkScreen(page);
  await box(page, 'Zoho Assist').uncheck();
  await box(page, 'example.com').check();
  await page.keyboard.press('Escape');
  await expect(over(page)).toBeFocused();
  expect(sent).toEqual([]);
  await over(page).click();
  await expect(box(page, 'AnyDesk')).toBeChecked();
  await dialog(page).getByRole('button', { name: 'Yes, it’s over' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Good. It’s over.' })).toBeFocused();
  expect(sent).toEqual([{ answer: 'over', stop_allowing: [anydesk, kitchen] }]);
});

test('[P15.4] with nothing that is allowed then *It’s over* is one press, without a dialog', async ({ open, page }) => {
  const sent = await answering(page, { allowed_after: [] });
  await open('guardian-incident');
  await over(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'Good. It’s over.' })).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(sent).toEqual([{ answer: 'over', stop_allowing: [] }]);
});

test('[P9.2] an answer that only begins the hour without guardians is not called over', async ({ open, page }) => {
  await answering(page, { allowed_after: [] }, { state: 'open' });
  await open('guardian-incident');
  await over(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'Nothing has ended yet: you can end it in an hour' })).toBeFocused();
  await expect(page.getByText('Good. It’s over.')).toHaveCount(0);
});

test('[P15.4] who has to enter a code reads the list in the same dialog, or only the question where nothing is listed', async ({
  open,
  page,
}) => {
  const sent = await answering(page, { may_end: { may: 'code' } });
  await open('guardian-incident');
  await over(page).click();
  await expect(box(page, 'AnyDesk')).toBeChecked();
  const digits = dialog(page).getByLabel('The six digits');
  await expect(digits).toBeFocused();
  await digits.fill('123456');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Good. It’s over.' })).toBeFocused();
  expect(sent).toEqual([{ answer: 'over', stop_allowing: [anydesk, waiting], code: '123456' }]);
  await answering(page, { may_end: { may: 'code' }, allowed_after: [] });
  await page.reload();
  await over(page).click();
  await expect(dialog(page)).toHaveAccessibleDescription(/^Only if nobody is on the phone/);
  await expect(dialog(page).getByRole('checkbox')).toHaveCount(0);
});
