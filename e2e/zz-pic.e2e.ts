import { call } from '@porchlight/dev/call.ts';
import { linkedDevice, registeredPerson } from '@porchlight/dev/people.ts';
import { startWorld } from '@porchlight/dev/world.ts';
import { localAgent } from './lib/local-agent.ts';
import { pageOf, reportAlert } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { test } from './lib/test.ts';

test('pictures', async ({ browser }) => {
  test.setTimeout(200000);
  const world = await startWorld();
  const ann = await registeredPerson(world);
  const page = await pageOf(browser, world, ann);
  await localAgent(page);
  const shots = async (p: typeof page, name: string) => {
    for (const width of [420, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await p.setViewportSize({ width, height: 900 });
        await p.emulateMedia({ colorScheme });
        await p.screenshot({ path: `/tmp/person/${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
  };
  await page.goto(`${world.dashboardUrl}/add-device`);
  await page.getByRole('button', { name: 'This device' }).click();
  await page.getByLabel('Device name').fill('Den PC');
  await page.getByRole('radio', { name: /^Someone else/ }).check();
  await page.getByLabel('Their name (optional)').fill('Mom');
  await page.getByLabel('Their phone number (optional)').fill('+1 202 555 0143');
  await page.getByLabel('Device name').focus();
  await shots(page, 'policy');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('checkbox', { name: /^Log out here/ }).waitFor();
  await shots(page, 'ready');
  const device = await linkedDevice(world, ann, 'Kitchen PC');
  await call(world.url, 'POST /web/devices/:uuid', {
    token: ann.token,
    params: { uuid: device.uuid },
    body: { name: 'Kitchen PC', policy: 'strict', person: { name: 'Mom', phone_number: '+12025550143', is_holder: false } },
  });
  await page.goto(`${world.dashboardUrl}/devices/${device.uuid}`);
  await page.getByLabel('Their phone number (optional)').waitFor();
  await shots(page, 'settings');
  const bob = await pageOf(browser, world, null);
  const email = `bob-${ann.email}`;
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email } });
  await bob.goto(linkIn(await mailTo(world, email, /guardian/)));
  await bob.getByRole('button', { name: 'I will look out' }).click();
  await bob.getByText('You look out for Ann', { exact: true }).waitFor();
  await reportAlert(world, device);
  await bob.reload();
  await bob.getByRole('link', { name: 'Call Mom' }).waitFor();
  await shots(bob, 'guardian');
  const mail = await mailTo(world, email, /Mom may need you/);
  const m = await browser.newPage();
  await m.setContent((mail as unknown as { html: string }).html);
  await shots(m, 'mail');
  await world.close();
});
