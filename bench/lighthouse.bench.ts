import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { browserFlags, findFullBrowser } from '@porchlight/dev/browser.ts';
import { call } from '@porchlight/dev/call.ts';
import { linkedDevice, registeredPerson } from '@porchlight/dev/people.ts';
import { freePort } from '@porchlight/dev/ports.ts';
import { root } from '@porchlight/dev/root.ts';
import { until } from '@porchlight/dev/until.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';

/** Not a dependency of the project: it weighs 176 MB, and reports errors to its makers by default. */
const version = '13.5.0';
const folder = join(root, '.cache', 'lighthouse');
const program = join(folder, 'node_modules', 'lighthouse', 'cli', 'index.js');
const rounds = 3;
/** Largest contentful paint, in ms. */
const paintLimit = 1_800;

interface Measured {
  score: number;
  paint: number;
  shift: number;
}

/** Lighthouse with its settings for phones: a slow network and a slow processor, both simulated. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const browser = findFullBrowser();
  const missing = browser ? await missingLighthouse(log) : 'there is no browser with a window';
  if (!browser || missing) {
    log(`The pages are not measured: ${missing}.`);
    return [];
  }
  const world = await startWorld();
  const profile = await mkdtemp(join(tmpdir(), 'porchlight-lighthouse-'));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser,
    args: [...browserFlags, `--remote-debugging-port=${port}`],
  });
  try {
    const page = await context.newPage();
    const { token, guardianPath } = await household(world, page);
    const logIn = async (on: boolean) => {
      await page.goto(`${world.url}/terms-of-service`);
      await page.evaluate((value) => (value ? localStorage.setItem('porchlight_token', value) : localStorage.clear()), on ? token : '');
      await page.goto('about:blank');
    };
    const pages = [
      { name: 'log-in', path: '/login', lost: 2, loggedIn: false },
      { name: 'register', path: '/register', lost: 5, loggedIn: false },
      { name: 'free plan', path: '/free-download', lost: 5, loggedIn: false },
      { name: 'dashboard', path: '', lost: 5, loggedIn: true },
      { name: 'guardian', path: guardianPath, lost: 2, loggedIn: false },
    ];
    const results = new Map<string, Measured[]>(pages.map(({ name }) => [name, []]));
    for (let round = 1; round <= rounds; round++) {
      for (const { name, path, loggedIn } of pages) {
        await logIn(loggedIn);
        const result = await lighthouse(`${world.dashboardUrl}${path}`, port, browser);
        results.get(name)?.push(result);
        log(`round ${round}, ${name}: ${result.score} points, largest paint ${result.paint.toFixed(0)} ms, layout shift ${result.shift}`);
      }
    }
    return pages.flatMap(({ name, lost }) => {
      const common = { peer: null, peer_value: null };
      const of = (what: keyof Measured) => median((results.get(name) ?? []).map((result) => result[what]));
      return [
        { name: `${name}: points below 100`, value: 100 - of('score'), unit: 'points', ...common, aim: { at_most: lost } },
        { name: `${name}: largest contentful paint`, value: of('paint'), unit: 'ms', ...common, aim: { at_most: paintLimit } },
      ];
    });
  } finally {
    await context.close();
    await world.close();
    await rm(profile, { recursive: true, force: true });
  }
}

/** A holder with one protected computer, and a guardian whose cookie is in the browser. */
async function household(world: World, page: Page): Promise<{ token: string; guardianPath: string }> {
  const person = await registeredPerson(world);
  const { token } = person;
  await linkedDevice(world, person, 'Den PC');
  const email = `${randomUUID()}@example.org`;
  await call(world.url, 'POST /web/create-guardian', { token, body: { name: 'Bob', email } });
  const link = await until('the invitation', async () => {
    const invitation = (await world.mailbox()).find(({ to }) => to.includes(email));
    return invitation?.text.split('/guardian/')[1]?.split(/\s/)[0];
  });
  await page.goto(`${world.dashboardUrl}/guardian/${link}`);
  await page.getByRole('button', { name: 'I will look out' }).click();
  await page.getByRole('heading', { name: 'Everyone is protected' }).waitFor();
  return { token, guardianPath: `/guardian/${link.split('/')[0]}` };
}

/** Null once it is here; otherwise why it is not. */
async function missingLighthouse(log: (line: string) => void): Promise<string | null> {
  if (existsSync(program)) return null;
  log(`Installing lighthouse ${version} into .cache.`);
  await mkdir(folder, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  const { status } = spawnSync('npm', ['install', ...options, `lighthouse@${version}`], { cwd: folder, stdio: 'ignore', timeout: 300_000 });
  return status === 0 && existsSync(program) ? null : `lighthouse ${version} could not be installed; is there a network?`;
}

/** On a busy computer a trace sometimes has no beginning. */
async function lighthouse(url: string, port: number, browser: string, triesLeft = 2): Promise<Measured> {
  try {
    return await measure(url, port, browser);
  } catch (reason) {
    if (triesLeft === 0) throw reason;
    return lighthouse(url, port, browser, triesLeft - 1);
  }
}

async function measure(url: string, port: number, browser: string): Promise<Measured> {
  const options = ['--only-categories=performance', '--output=json', '--quiet', '--no-enable-error-reporting', '--disable-storage-reset'];
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, `--port=${port}`, ...options], {
    env: { ...process.env, CHROME_PATH: browser },
    maxBuffer: 1 << 28,
  });
  const { categories, audits } = JSON.parse(stdout) as {
    categories: { performance: { score: number } };
    audits: Record<string, { numericValue: number }>;
  };
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
  return {
    score: Math.round(categories.performance.score * 100),
    paint: value('largest-contentful-paint'),
    shift: Number(value('cumulative-layout-shift').toFixed(3)),
  };
}
