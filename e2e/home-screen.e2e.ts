import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { inviteGuardian } from './lib/guardians.ts';
import { registeredPerson } from './lib/people.ts';
import { answerPermission, onHomeScreen } from './lib/push.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeEach(async () => {
  ann = await registeredPerson(world);
});

async function acceptedGuardian(page: Page, name = 'Bob', email = `${randomUUID()}@example.org`): Promise<string> {
  await inviteGuardian(page, world, ann, name, email);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

const offer = (page: Page) => page.getByRole('region', { name: /^Get alerts on this (computer|phone|tablet)$/ });
const turnOn = (page: Page) => page.getByRole('button', { name: 'Turn alerts on' });

test('[P11.6] both pages can be put on the home screen; that of a guardian opens their own page again, without a key', async ({ page }) => {
  const manifestOf = async () => {
    const cdp = await page.context().newCDPSession(page);
    const { url, errors, data = '{}' } = await cdp.send('Page.getAppManifest');
    const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors');
    // A browser with a window is always incognito in a test.
    const ofThePage = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
    return { url, errors, manifest: JSON.parse(data), installabilityErrors: ofThePage };
  };
  await page.goto(`${world.dashboardUrl}/login`);
  const own = await manifestOf();
  expect(own).toMatchObject({ url: `${world.dashboardUrl}/manifest.webmanifest`, errors: [], installabilityErrors: [] });
  expect(own.manifest).toMatchObject({ start_url: '/dashboard/', scope: '/dashboard/', display: 'standalone' });

  const id = await acceptedGuardian(page);
  const guardian = await manifestOf();
  expect(guardian).toMatchObject({
    url: `${world.dashboardUrl}/guardian/${id}/manifest.webmanifest`,
    errors: [],
    installabilityErrors: [],
    manifest: { id: `/dashboard/guardian/${id}`, start_url: `/dashboard/guardian/${id}`, scope: '/dashboard/' },
  });
  for (const { src } of guardian.manifest.icons) {
    const answer = await page.request.get(`${world.url}${src}`);
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/png']);
  }
  expect((await page.request.get(`${world.url}${new URL(guardian.url).pathname}`)).headers()['content-type']).toContain(
    'application/manifest+json',
  );
  await page.goto(`${world.url}${guardian.manifest.start_url}`);
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  const { guardians } = await call(world.url, 'GET /web/guardians', { token: ann.token });
  expect(guardians.map(({ uuid }) => uuid)).toEqual([id]);
});

test('a page on the home screen that shares no cookie with the browser opens by the pasted link, and offers alerts there', async ({
  page,
  browser,
}) => {
  const email = `${randomUUID()}@example.org`;
  const id = await acceptedGuardian(page, 'Bob', email);
  const link = linkIn(await mailTo(world, email, /guardian/));
  const phone = await (await browser.newContext()).newPage();
  await onHomeScreen(phone);
  await answerPermission(phone, 'granted');
  await phone.goto(`${world.dashboardUrl}/guardian/${id}`);
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Open your page here');
  await phone.getByLabel('The link from our email').fill(`https://scam.example${new URL(link).pathname}`);
  await phone.getByRole('button', { name: 'Open my page' }).click();
  await expect(phone.getByRole('alert')).toContainText('That isn’t the link to your page.');
  await phone.getByLabel('The link from our email').fill(` ${link} `);
  await phone.getByRole('button', { name: 'Open my page' }).click();
  await expect(phone).toHaveURL(`${world.dashboardUrl}/guardian/${id}`);
  await expect(offer(phone)).toBeVisible();
  await offer(phone).getByRole('button', { name: 'Not now' }).click();
  await phone.reload();
  await expect(turnOn(phone)).toHaveCount(1);
  await expect(offer(phone)).toHaveCount(0);
});
