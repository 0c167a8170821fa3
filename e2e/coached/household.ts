import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { limits } from '@porchlight/contract/limits.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import { browserFlags, findBrowser } from '@porchlight/dev/browser.ts';
import { call } from '@porchlight/dev/call.ts';
import { type AcceptedGuardian, acceptedGuardian } from '@porchlight/dev/guardians.ts';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import { freePort } from '@porchlight/dev/ports.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import { passTime } from '@porchlight/server/testing/pass-time.ts';
import { pageOf } from '../lib/accounts.ts';
import { inDatabase } from '../lib/database.ts';
import { addressOf, type DnsServer, startDnsServer } from '../lib/dns-server.ts';
import { addDevice } from '../lib/screens.ts';
import { type WindowAgent, windowAgent } from '../lib/window-agent.ts';
import { type Front, startFront } from './front.ts';

const phoneSize = { viewport: { width: 390, height: 844 } };

/** One server with its network, on which households live one after the other. `world.url` is the public address. */
export interface Town {
  /** Whether times are compared: in the drill, since tests run beside others. */
  timed: boolean;
  browser: Browser;
  world: World;
  front: Front;
  /** The DNS server of the network, which gives every name an address. */
  network: DnsServer;
  /** An IPv4 address that nobody else has. */
  newAddress(): string;
  close(): Promise<void>;
}

export interface Guardian extends AcceptedGuardian {
  /** Their page on their own phone, over mobile data. */
  phone: Page;
}

/** Ann at her Windows computer, with a browser and an agent, for longer than the three days after which guardians may answer. */
export interface Household {
  town: Town;
  ann: Person;
  device: string;
  computer: WindowAgent;
  /** Ann's browser at the computer, logged in; the agent has answered it. */
  dashboard: Page;
  /** The agent's own window. */
  window: Page;
  bob: Guardian | null;
  /** The address of a name as programs of this computer get it. */
  resolve(name: string): Promise<string>;
  /** Makes time pass for the server and the agent. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function startTown(browser: Browser, { timed = false } = {}): Promise<Town> {
  const port = await freePort();
  const front = await startFront(port);
  // The first list of sites ships with the server.
  const env = { TRUST_PROXY: 'on', SITE_LISTS: 'first', TEXT_COUNTRIES: 'all', VOICE: 'on', PUSH: 'off' };
  const inner = await startWorld({ port, publicUrl: front.url, env });
  const network = await startDnsServer();
  const world: World = { ...inner, url: front.url, dashboardUrl: `${front.url}/dashboard` };
  let last = 0;
  return {
    ...{ timed, browser, world, front, network },
    newAddress() {
      last += 1;
      return `203.0.${113 + (last >> 8)}.${last & 255}`;
    },
    async close() {
      network.close();
      await front.close();
      await inner.close();
    },
  };
}

export interface HouseholdOptions {
  guardian?: boolean;
  /** Somebody else who uses the computer; by default the holder does. */
  person?: { name: string; phone_number: string };
}

export async function moveIn(town: Town, options: HouseholdOptions = {}): Promise<Household> {
  const dnsPort = await freePort();
  const dns = { port: dnsPort, upstream: town.network.port };
  town.front.home = town.newAddress();
  const computer = await windowAgent(town.world, { windows: true, dns, port: limits.loopback_port });
  try {
    return await setUp(town, computer, dnsPort, options);
  } catch (reason) {
    // It would keep the port, and this process alive.
    await computer.close();
    throw reason;
  }
}

async function setUp(
  town: Town,
  computer: WindowAgent,
  dnsPort: number,
  { guardian = true, person }: HouseholdOptions,
): Promise<Household> {
  const { world, browser } = town;
  const ann = await registeredPerson(world, 'Ann Example');
  const pass = async (ms: number) => {
    await inDatabase(world, async (db) => {
      // The agent was connected all the time, so it may check the PIN by itself. The server counts only short gaps between connections.
      await db.updateTable('device_use').set({ connected_ms: serverLimits.pin_hash_after }).execute();
      // It updates every table, while the server goes on: the database may end one of two that wait for each other.
      await passTime(db, ms).catch((err: unknown) => (String(err).includes('deadlock') ? passTime(db, ms) : Promise.reject(err)));
      // The agent has called all the time. The server remembers when it last wrote that, and so would not write it again yet.
      await db.updateTable('device_networks').set({ seen: new Date() }).execute();
    });
    await computer.passes(ms, { wall: false });
  };
  const dashboard = await pageOf(browser, world, ann);
  // A browser draws a tab behind another one once a second, so that each click in it takes two: the window has a browser window of its own.
  const window = await (await browser.newContext()).newPage();
  await dashboard.goto(world.dashboardUrl);
  if (person) await connectByCode(world, ann, person, computer, window);
  else {
    await addDevice(dashboard, 'This device', 'Den PC');
    await expect(dashboard.getByText('Device connected')).toBeVisible({ timeout: 15_000 });
  }
  const { devices } = await call(world.url, 'GET /web/devices', { token: ann.token });
  const device = devices[0]?.uuid ?? '';
  await pass(2 * day);
  const accepted = guardian ? await acceptedGuardian(world, ann, 'Bob') : null;
  await pass(4 * day);
  const bob = accepted && { ...accepted, phone: await guardianPage(town, accepted, { ...phoneSize, place: town.newAddress() }) };
  return {
    ...{ town, ann, device, computer, dashboard, window, bob, pass },
    resolve: (name) => addressOf(name, dnsPort),
    async close() {
      for (const page of [dashboard, window, bob?.phone]) await page?.context().close();
      await computer.close();
    },
  };
}

/** The setup of somebody else's computer, which the holder does not sit at. */
async function connectByCode(
  world: World,
  { token }: Person,
  person: { name: string; phone_number: string },
  computer: WindowAgent,
  window: Page,
): Promise<void> {
  const body = { name: 'Den PC', policy: null, person: { ...person, is_holder: false } };
  const { login_code } = await call(world.url, 'POST /web/create-device', { token, body });
  await computer.open(window);
  await window.getByLabel('Your code').fill(login_code);
  await window.getByRole('button', { name: 'Connect' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'This computer is protected' })).toBeVisible();
}

/** A guardian's page in a browser of its own. `place`: from which address; at home if left out. */
export async function guardianPage(
  { browser, world }: Pick<Town, 'browser' | 'world'>,
  { uuid, cookie }: AcceptedGuardian,
  { place, ...options }: BrowserContextOptions & { place?: string } = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  const cookies = cookie.split('; ').map((pair) => pair.split('='));
  await context.addCookies(cookies.map(([name = '', ...value]) => ({ name, value: value.join('='), url: world.url })));
  if (place) await comeFrom(context, world, place);
  const page = await context.newPage();
  await page.goto(`${world.dashboardUrl.replace(/\/dashboard$/, '')}/dashboard/guardian/${uuid}`);
  return page;
}

/** Every call of a browser to the server comes from this address. */
export const comeFrom = (context: ReturnType<Page['context']>, { url }: Pick<World, 'url'>, place: string): Promise<unknown> =>
  context.route(`${url}/**`, (route) => route.continue({ headers: { ...route.request().headers(), 'x-forwarded-for': place } }));

/** A browser for a script that runs without Playwright's test runner. */
export async function launchBrowser(): Promise<Browser> {
  const { chromium } = await import('@playwright/test');
  const executablePath = findBrowser();
  return chromium.launch({ ...(executablePath ? { executablePath } : {}), args: browserFlags });
}
