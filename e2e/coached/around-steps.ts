import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { inDatabase } from '../lib/database.ts';
import { comeFrom, type Guardian, type Household } from './household.ts';
import { expectPolicy, incidentsOf, protection, startAndExpectEnd } from './steps.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export function bobOf({ bob }: Pick<Household, 'bob'>): Guardian {
  if (!bob) throw new Error('This way needs a guardian.');
  return bob;
}

/** Bob’s number, verified long ago. */
export async function giveBobPhone(household: Household, number: string): Promise<void> {
  const { uuid } = bobOf(household);
  const verified = new Date(Date.now() - 100 * hour);
  await inDatabase(household.town.world, (db) =>
    db
      .updateTable('guardians')
      .set({ phone_number: number, phone_number_verified: true, phone_verified_time: verified })
      .where('uuid', '=', uuid)
      .execute(),
  );
}

/** The codes that were texted to a number, newest first. */
export const codesTo = async ({ town }: Pick<Household, 'town'>, number: string): Promise<string[]> =>
  (await town.world.texts()).flatMap(({ to, body }) => (to === number ? (/\b\d{6}\b/.exec(body)?.[0] ?? []) : []));

/** Reads the Admin PIN so long ago that it no longer counts. */
export async function notePin({ town, ann, pass }: Household): Promise<string> {
  const { bypass_password } = await call(town.world.url, 'GET /web/bypasspassword', { token: ann.token });
  await pass(2 * day);
  return bypass_password;
}

/** The agent ends AnyDesk, the server knows, and the agent knows that its lock is in force. Returns the incident. */
export async function stopAnyDesk(household: Household): Promise<string> {
  await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
  const incident = await expectIncident(household);
  // Otherwise hours that pass at once would be hours without a server, after which the PIN is enough again.
  await expectPolicy(household, /lock[\\"]+:true/);
  return incident;
}

/** Waits until one incident is open. Returns its id. */
export async function expectIncident(household: Household): Promise<string> {
  const open = async () => (await incidentsOf(household)).filter(({ state }) => state === 'open');
  await expect.poll(async () => (await open()).length, { message: 'open incidents', timeout: 15_000 }).toBe(1);
  return (await open())[0]?.uuid ?? '';
}

export const expectOpen = async (household: Household): Promise<void> =>
  expect((await incidentsOf(household)).map(({ state }) => state)).toEqual(['open']);

/** Nothing that the calls of the victim could weaken is different afterwards. */
export async function expectUnchanged(household: Household, work: () => Promise<unknown>): Promise<void> {
  const before = await protection(household);
  await work();
  expect(await protection(household), 'the protection').toEqual(before);
}

export const requestsOf = async ({ town, ann }: Pick<Household, 'town' | 'ann'>, incident: string) =>
  (await call(town.world.url, 'GET /web/incidents/:uuid', { token: ann.token, params: { uuid: incident } })).requests;

export const incidentOf = ({ town, ann }: Pick<Household, 'town' | 'ann'>, incident: string) =>
  call(town.world.url, 'GET /web/incidents/:uuid', { token: ann.token, params: { uuid: incident } });

/** Types the Admin PIN, or a code, into the pause of the agent’s window. */
export async function pauseWith({ computer, window }: Household, typed: string, minutes = 10): Promise<void> {
  await computer.open(window);
  await window.goto(new URL('pause', window.url()).href);
  await window.getByRole('radio', { name: `${minutes} minutes` }).check();
  await window.locator('#pin').fill(typed);
  await window.getByLabel(/^I understand/).check();
  await window.getByRole('button', { name: 'Pause', exact: true }).click();
}

/** The screen says that the change waits for a yes, in the dialog or on the page of an email’s link. */
export async function expectAsked({ dashboard }: Pick<Household, 'dashboard'>): Promise<void> {
  await expect(dashboard.getByText('Nothing has changed yet.').first()).toBeVisible();
}

/** The victim enters her password again, as screens ask for it. */
export const enterPassword = ({ town, ann }: Pick<Household, 'town' | 'ann'>) =>
  call(town.world.url, 'POST /web/reauthenticate', { token: ann.token, body: { password: ann.password } });

/** A browser that calls from this address, such as the caller’s own; from the household’s if left out. */
export async function browserAt({ town }: Pick<Household, 'town'>, place?: string): Promise<Page> {
  const context = await town.browser.newContext();
  if (place) await comeFrom(context, town.world, place);
  return context.newPage();
}

/** What a page answers to a call that its guardian’s session makes: the code of the error, or `passed`. */
export const pageCalls = (page: Page, method: string, path: string, body: object = {}): Promise<string> =>
  page.evaluate(
    async ([verb, address, content]) => {
      const token = /XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? '';
      const headers = { 'content-type': 'application/json', 'x-xsrf-token': decodeURIComponent(token) };
      const request: RequestInit = { method: verb, headers, body: content };
      const answer = await fetch(`/api${address}`, request);
      return answer.ok ? 'passed' : ((await answer.json()) as { code: string }).code;
    },
    [method, path, JSON.stringify(body)] as const,
  );

export const pinAlone = 'The Admin PIN alone isn’t enough right now';

export async function expectPinRefused(household: Household, pin: string): Promise<void> {
  await pauseWith(household, pin);
  await expect(household.window.getByRole('alert')).toContainText(pinAlone);
  await startAndExpectEnd(household, { name: 'reimage.exe', product: 'Reimage Repair', company: 'Reimage' });
}
