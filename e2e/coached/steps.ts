import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { addButton, field, hits } from '../lib/allow-list.ts';
import { inDatabase } from '../lib/database.ts';
import type { Guardian, Household } from './household.ts';

/** What the victim is asked to do in her own browser, while the caller can see the screen, and what a guardian answers. */

/** A program as its file describes it. */
export type Program = Parameters<Household['computer']['windows']['start']>[0];

type Lasts = 'for 1 hour' | 'today' | 'until I remove it';

/** Presses *Allow* for a program for remote control, on its device's allow list, and again in the question that follows. */
export async function allow(household: Household, program: string, lasts: Lasts = 'for 1 hour'): Promise<void> {
  await chooseProgram(household, program, lasts);
  await household.dashboard.getByRole('button', { name: `Allow ${program}` }).click();
}

/** Chooses a program for its device's allow list. Without a question, as for other programs, it is then allowed. */
export async function chooseProgram({ town, dashboard, device }: Household, program: string, lasts: Lasts = 'for 1 hour'): Promise<void> {
  await dashboard.goto(`${town.world.dashboardUrl}/devices/${device}/allowlist`);
  await addButton(dashboard).click();
  await field(dashboard).fill(program);
  await dashboard.getByLabel(lasts, { exact: true }).check();
  await hits(dashboard).filter({ hasText: program }).first().click();
}

export async function chooseProfile({ town, dashboard, device }: Household, profile: 'Strict' | 'Permissive'): Promise<void> {
  await dashboard.goto(`${town.world.dashboardUrl}/devices/${device}`);
  await dashboard.getByText(profile, { exact: true }).click();
  await dashboard.getByRole('button', { name: 'Save', exact: true }).click();
}

/** The dialog that waits for a yes is on the victim's screen. */
export async function expectWaiting({ dashboard }: Pick<Household, 'dashboard'>): Promise<void> {
  await expect(dashboard.getByRole('dialog').filter({ hasText: 'Nothing has changed yet.' })).toBeVisible();
}

/** Programs of the computer get no address for these names. */
export async function expectBlocked({ resolve }: Pick<Household, 'resolve'>, sites: string[]): Promise<void> {
  for (const site of sites) await expect.poll(() => resolve(site), { message: `the address of ${site}` }).toBe('0.0.0.0');
}

/** Programs of the computer get an address for each of these names. */
export async function expectOpen({ resolve }: Pick<Household, 'resolve'>, sites: string[]): Promise<void> {
  for (const site of sites) expect(await resolve(site), `the address of ${site}`).toBe('192.0.2.1');
}

/** The agent ends a program within seconds. Returns its process id. */
export async function startAndExpectEnd({ computer }: Pick<Household, 'computer'>, program: Program): Promise<number> {
  const pid = await computer.windows.start(program);
  await expect.poll(() => computer.windows.isRunning(pid), { message: `the end of ${program.name}`, timeout: 5000 }).toBe(false);
  return pid;
}

/** The program runs on, while a harmful program that starts later ends. Returns its process id. */
export async function startAndExpectRunning(household: Pick<Household, 'computer'>, program: Program): Promise<number> {
  const { windows } = household.computer;
  const pid = await windows.start(program);
  // The agent decides about programs in order.
  await startAndExpectEnd(household, { name: 'reimage.exe', product: 'Reimage Repair', company: 'Reimage' });
  expect(await windows.isRunning(pid), `${program.name} runs on`).toBe(true);
  return pid;
}

/** What the calls of the victim would weaken, read by the API. */
export async function protection({ town, ann, device }: Pick<Household, 'town' | 'ann' | 'device'>) {
  const [{ url }, { token }] = [town.world, ann];
  const { devices } = await call(url, 'GET /web/devices', { token });
  const { guardians } = await call(url, 'GET /web/guardians', { token });
  const isThere = devices.some(({ uuid }) => uuid === device);
  const allowed = isThere ? (await call(url, 'GET /web/devices/:id/v2/exceptions', { token, params: { id: device } })).items : [];
  const { phone_number, email } = await call(url, 'GET /web/profile', { token });
  return {
    allowed: allowed.filter(({ waits, refused }) => !waits && !refused).map(({ name }) => name),
    devices: devices.map(({ name, policy, person }) => ({ name, policy, person: person?.name ?? null })),
    guardians: guardians.map((guardian) => ({ email: guardian.email, state: guardian.state })),
    phone_number,
    email,
    alerts: await call(url, 'GET /web/alert-settings', { token }),
    browsing: await call(url, 'GET /web/browsing-protection', { token }),
    ask_first: (await call(url, 'GET /web/holding', { token })).ask_first,
    pin: await sealedPin(town.world, email),
  };
}

/** Another text for each PIN. The call that shows the PIN would itself weaken protection. */
async function sealedPin(world: World, email: string): Promise<string> {
  let sealed = '';
  await inDatabase(world, async (db) => {
    sealed = String((await db.selectFrom('accounts').select('sealed_pin').where('email', '=', email).executeTakeFirstOrThrow()).sealed_pin);
  });
  return sealed;
}

export const incidentsOf = async ({ town, ann }: Pick<Household, 'town' | 'ann'>) =>
  (await call(town.world.url, 'GET /web/incidents', { token: ann.token, query: {} })).items;

export async function expectOpenIncident(household: Pick<Household, 'town' | 'ann'>): Promise<void> {
  const states = async () => (await incidentsOf(household)).map(({ state }) => state);
  await expect.poll(states, { message: 'an open incident' }).toEqual(['open']);
}

/** Bob answers what waits, on his own phone. */
export async function answer({ phone }: Pick<Guardian, 'phone'>, wants: RegExp, what: 'yes' | 'no'): Promise<void> {
  await phone.reload();
  const question = phone.getByRole('region', { name: wants });
  const button = what === 'yes' ? 'Yes, it is all right' : 'No, stop this';
  await question.getByRole('button', { name: button }).click();
  const confirm = phone.getByRole('dialog').getByRole('button', { name: button });
  const done = phone.getByRole('status').filter({ hasText: what === 'yes' ? /^Thank you/ : /^You said no/ });
  await expect(done.or(confirm)).toBeVisible();
  if (await confirm.isVisible()) await confirm.click();
  await expect(done).toBeVisible();
}

/** An email arrives after `since` (milliseconds since 1970), in the drill within `limit` milliseconds. */
export async function expectMail(
  { town }: Pick<Household, 'town'>,
  to: string,
  subject: RegExp,
  { since, limit = 2000 }: { since: number; limit?: number },
): Promise<void> {
  let took = 0;
  const isThere = async () => {
    const mails = (await town.world.mailbox()).filter((one) => one.to.includes(to) && subject.test(one.subject));
    const times = mails.map(({ received }) => new Date(received).getTime() - since).filter((ms) => ms >= 0);
    took = Math.min(...times);
    return times.length > 0;
  };
  await expect.poll(isThere, { message: `an email to ${to} about ${subject}`, timeout: 15_000 }).toBe(true);
  if (town.timed) expect(took, `milliseconds to the email about ${subject}`).toBeLessThan(limit);
}

/** The agent has stored a policy that matches. */
export async function expectPolicy({ computer }: Pick<Household, 'computer'>, content: RegExp): Promise<void> {
  await expect.poll(() => readFile(join(computer.data, 'policy.json'), 'utf8'), { timeout: 20_000 }).toMatch(content);
}
