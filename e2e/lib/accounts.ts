import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { type Person, validPassword } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';

export async function unconfirmedPerson(world: World, name = 'New Example'): Promise<Person> {
  const email = `${randomUUID()}@example.org`;
  await call(world.url, 'POST /register', { body: { name, email, password: validPassword } });
  const { web_token } = await call(world.url, 'POST /login/web', { body: { email, password: validPassword } });
  return { email, password: validPassword, token: web_token };
}

/** A page in a new browser context, logged in as `person`; a guest's page for null. */
export async function pageOf(browser: Browser, world: World, person: Person | null, options: BrowserContextOptions = {}): Promise<Page> {
  const localStorage = person
    ? [
        { name: 'porchlight_token', value: person.token },
        { name: 'porchlight_person', value: person.email },
      ]
    : [];
  const context = await browser.newContext({ ...options, storageState: { cookies: [], origins: [{ origin: world.url, localStorage }] } });
  return context.newPage();
}

/** Returns the alert's id. */
export async function reportAlert(world: World, device: { token: string }, name = 'AnyDesk'): Promise<string> {
  const detection = {
    uuid: randomUUID(),
    time: new Date().toISOString(),
    name,
    identifier: name.toLowerCase(),
    category: 'RemoteControl',
    details: '',
    blocked: true,
    certainty: 'certain',
    why: '',
    start: 'person',
  } as const;
  await call(world.url, 'POST /agent/detections', { token: device.token, body: { detections: [detection] } });
  return detection.uuid;
}
