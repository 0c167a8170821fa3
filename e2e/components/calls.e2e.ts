import { expect, type Page } from '@playwright/test';
import { checkScreen } from '../lib/accessibility.ts';
import { test } from './component.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const guardian = (name: string, more = {}) => ({
  ...{ uuid: `${name}-uuid`, name, email: `${name}@example.org`, active: true, state: 'active', mail: true, texts: 'off' },
  ...{ last_looked: null, trouble: null, may_isolate: null, position: null, ...more },
});

/** Answers with the guardians, in the order that was last saved. */
async function answeringGuardians(page: Page, names: string[], more: object[] = []) {
  let guardians = [...names.map((name) => guardian(name)), ...more] as { uuid: string }[];
  const saved: string[][] = [];
  await page.route('**/api/web/guardians', (route) => route.fulfill({ json: { guardians } }));
  await page.route('**/api/web/guardians/order', (route) => {
    const { order } = route.request().postDataJSON() as { order: string[] };
    saved.push(order);
    guardians = order.flatMap((uuid) => guardians.find((one) => one.uuid === uuid) ?? []);
    return route.fulfill({ json: { guardians } });
  });
  return saved;
}

test('guardians are moved up and down with the keyboard alone, the focus stays on who moved, and the new place is announced', async ({
  open,
  page,
}) => {
  const saved = await answeringGuardians(page, ['Bob', 'Carol'], [guardian('Pat', { active: false, state: 'pending' }), guardian('Dave')]);
  await open('call-order');
  const places = page.getByText(/^Called (first|second|third)$/);
  await expect(places).toHaveText(['Called first', 'Called second', 'Called third']);
  await expect(page.getByRole('listitem').filter({ hasText: 'Pat' })).not.toContainText('Called');
  await expect(button(page, 'Move up: Bob')).toHaveCount(0);
  await expect(button(page, 'Move down: Dave')).toHaveCount(0);
  await checkScreen(page);
  const { height = 0, width = 0 } = (await button(page, 'Move up: Dave').boundingBox()) ?? {};
  expect(Math.min(height, width)).toBeGreaterThanOrEqual(44);

  await button(page, 'Move up: Dave').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('Dave is called second now.');
  await expect(button(page, 'Move up: Dave')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('Dave is called first now.');
  await expect(button(page, 'Move down: Dave')).toBeFocused();
  await expect(page.getByRole('listitem').first()).toContainText('Dave');
  expect(saved).toEqual([
    ['Bob-uuid', 'Dave-uuid', 'Pat-uuid', 'Carol-uuid'],
    ['Dave-uuid', 'Bob-uuid', 'Pat-uuid', 'Carol-uuid'],
  ]);
});

test('one active guardian has no place in an order, and no buttons to move', async ({ open, page }) => {
  await answeringGuardians(page, ['Bob'], [guardian('Pat', { active: false, state: 'pending' })]);
  await open('call-order');
  await expect(page.getByRole('listitem')).toHaveCount(2);
  await expect(page.getByText(/^Called/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Move/ })).toHaveCount(0);
});

const number = '+1 202 555 0199';

/** Answers each call with the state; `ask` is what asking answers. */
async function answeringConsent(page: Page, start: object, ask: object = {}) {
  const shown = { calls: true, state: 'none', calling: false, phone_number: number, ...start };
  const asked: string[] = [];
  await page.route('**/api/web/devices/*/call-consent', (route) => {
    const method = route.request().method();
    if (method !== 'GET') asked.push(method);
    if (method === 'POST') Object.assign(shown, ask);
    if (method === 'DELETE') Object.assign(shown, { state: 'none' });
    return route.fulfill({ json: shown });
  });
  return { asked, becomes: (more: object) => Object.assign(shown, more) };
}

test('the page calls on a press, and shows that it calls, that nobody pressed 1, and then that Mum agreed', async ({ open, page }) => {
  const { asked, becomes } = await answeringConsent(page, {}, { state: 'asked', calling: true });
  await open('call-consent');
  const status = page.getByRole('status');
  await expect(page.getByRole('heading', { name: 'If nobody answers, may we call Mum?' })).toBeVisible();
  expect(asked).toEqual([]);
  await checkScreen(page);
  await button(page, 'Call Mum now to ask').click();
  await expect(status).toHaveText(`Calling Mum at ${number}. Press 1 there to say yes.`);
  await expect(page.getByRole('button')).toHaveCount(0);
  becomes({ calling: false });
  await expect(status).toHaveText('We called Mum, and nobody pressed 1. Nothing has changed.');
  await checkScreen(page);
  await button(page, 'Call Mum again').click();
  // She agrees only once the call is asked for.
  await expect.poll(() => asked).toEqual(['POST', 'POST']);
  becomes({ state: 'agreed', calling: false });
  await expect(status).toHaveText(`Mum agreed to be called at ${number}.`);
  await checkScreen(page);
  await button(page, 'Don’t call Mum anymore').click();
  await expect(button(page, 'Call Mum now to ask')).toBeVisible();
  expect(asked).toEqual(['POST', 'POST', 'DELETE']);
});

test('a number that refused is not offered again', async ({ open, page }) => {
  await answeringConsent(page, { state: 'refused' });
  await open('call-consent');
  await expect(page.getByText(`${number} asked us not to call or text.`)).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await checkScreen(page);
});

test('the holder of a computer of their own is asked whether we may call them, or where to enter a number', async ({ open, page }) => {
  await answeringConsent(page, {});
  await open('call-consent-own');
  await expect(page.getByRole('heading', { name: 'If nobody answers, may we call you?' })).toBeVisible();
  await expect(button(page, 'Call me now to ask')).toBeVisible();
  await page.goto('about:blank');
  await answeringConsent(page, { phone_number: null });
  await open('call-consent-own');
  await expect(page.getByText('Save and confirm your phone number in your profile first.')).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
});

test('a server that makes no calls shows nothing about them', async ({ open, page }) => {
  await answeringConsent(page, { calls: false });
  const answered = page.waitForResponse('**/call-consent');
  await open('call-consent');
  await answered;
  await expect(page.getByText('may we call')).toHaveCount(0);
});
