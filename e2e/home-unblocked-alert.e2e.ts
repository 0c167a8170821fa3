import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { minute } from '@porchlight/contract/time.ts';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

test('with an unblocked alert three hours ago and thirty blocked ones since, holder and guardian read about the unblocked one', async ({
  browser,
  page: guardian,
}) => {
  const ann = await registeredPerson(world);
  const email = `bob-${randomUUID()}@example.org`;
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email } });
  await guardian.goto(linkIn(await mailTo(world, email, /guardian/)));
  await guardian.getByRole('button', { name: 'I will look out' }).click();
  await expect(guardian.getByText(/^You look out for/)).toBeVisible();

  const device = await linkedDevice(world, ann);
  const detectionAt = (minutes: number, identifier: string, name: string, blocked: boolean) => ({
    uuid: randomUUID(),
    time: new Date(Date.now() - minutes * minute).toISOString(),
    name,
    identifier,
    category: 'RemoteControl' as const,
    details: '',
    blocked,
    certainty: 'certain' as const,
    why: '',
    start: 'person' as const,
  });
  // Fifteen alerts of each program, more than ten minutes apart, to prevent grouping.
  const blockedDetections = Array.from({ length: 15 }, (_, i) => [
    detectionAt(1 + 11 * i, 'anydesk', 'AnyDesk', true),
    detectionAt(2 + 11 * i, 'teamviewer', 'TeamViewer', true),
  ]).flat();
  const detections = [detectionAt(180, 'rustdesk', 'RustDesk', false), ...blockedDetections];
  await call(world.url, 'POST /agent/detections', { token: device.token, body: { detections } });

  const holder = await pageOf(browser, world, ann);
  await holder.goto(world.dashboardUrl);
  await guardian.reload();
  for (const page of [holder, guardian])
    await expect(
      page.getByRole('heading', { name: /^We did not stop RustDesk on Den PC, (?:today|yesterday) at \d{1,2}:\d\d [AP]M$/ }),
    ).toBeVisible();
});
