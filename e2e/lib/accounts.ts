import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { goodPassword, type Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';

/** Someone who has registered and not confirmed the address. */
export async function unconfirmedPerson(world: World, name = 'New Example'): Promise<Person> {
  const email = `${randomUUID()}@example.org`;
  await call(world.url, 'POST /register', { body: { name, email, password: goodPassword } });
  const { web_token } = await call(world.url, 'POST /login/web', { body: { email, password: goodPassword } });
  return { email, password: goodPassword, token: web_token };
}

/** A browser of someone's own, logged in as them already; with null, of a guest. */
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

/** Tells the server, as the device's agent would, that a program was blocked; the alert's id. */
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
  } as const;
  await call(world.url, 'POST /agent/detections', { token: device.token, body: { detections: [detection] } });
  return detection.uuid;
}
