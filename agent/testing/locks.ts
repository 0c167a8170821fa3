import { type CodePurpose, windowOf } from '@porchlight/contract/one-time-codes.ts';
import { oneTimeCode } from '@porchlight/definitions/one-time-code.ts';
import { expect } from 'vitest';
import { uninstallCommand, uninstallExit } from '../cli/uninstall.ts';
import { openStore } from '../state/store.ts';
import { agentForTest, ended, linked, type TestAgent } from './agent.ts';
import { type Browser, browserOf, sayYes } from './browser.ts';
import { type TestServer, testPin } from './server.ts';
import { until } from './until.ts';

export const notEnough = 'The Admin PIN alone isn’t enough right now';
const mallory = { first_name: 'Mallory', masked_email: 'm•••@scam.example' };

/** A linked computer with the secret of its codes. */
export async function linkedWithCodes() {
  const { server, test } = await linked();
  server.holders.set('MALL-MALL', mallory);
  server.setPolicy({ code_secret: server.code_secret.id });
  await until('the secret', async () => (await test.store.codeSecret())?.id === server.code_secret.id);
  await until('the next poll', () => server.policy_in_force === server.policy.version);
  return { server, test };
}
export const restarted = async (server: TestServer, test: TestAgent, up = 30_000): Promise<TestAgent> => {
  await test.close();
  return agentForTest(server, { os: test.os, folder: test.folder, clock: { ...test.clock, up, boot: `after ${test.clock.boot}` } });
};
export const stopAnyDesk = async (test: TestAgent) => {
  const stops = () => test.logLines.filter((line) => line.startsWith('Stopped')).length;
  const before = stops();
  await ended(test, test.os.start({ name: 'anydesk' }));
  await until('the report', () => stops() > before);
};
export const codeOf = (server: TestServer, test: TestAgent, purpose: CodePurpose, program = '', number = 0) =>
  oneTimeCode(server.code_secret.secret, { device: server.device, purpose, program }, windowOf(test.clock.now.getTime()), number);

/** The four things that need more than the PIN while the lock is in force, and what a person sees. */
export const four = {
  pause: async (_test: TestAgent, browser: Browser, typed: string) =>
    (await browser.press('pause', { minutes: '10', pin: typed, understood: 'yes' })).text,
  uninstall: async (test: TestAgent, _browser: Browser, typed: string) => {
    const logLines: string[] = [];
    const exit = await uninstallCommand(['--uninstall'], async () => ({
      store: await openStore(test.folder),
      server: 'http://127.0.0.1:9',
      readClock: () => ({ wall: test.clock.now.getTime(), up: test.clock.up, boot: test.clock.boot }),
      pin: async () => typed,
      restoreDns: async () => true,
      restoreBrowsers: async () => [],
      restoreNetwork: async () => [],
      log: (sentence) => void logLines.push(sentence),
    }));
    return exit === uninstallExit.done ? 'may be uninstalled' : logLines.join(' ');
  },
  restore: async (_test: TestAgent, browser: Browser, typed: string) => (await browser.press('found', { entry: 'none', pin: typed })).text,
  link: async (test: TestAgent, browser: Browser, typed: string) => {
    if (!(await browser.page()).includes('Should this computer belong to')) await browser.press('other', { code: 'MALL-MALL' });
    return (await sayYes(test, browser, { pin: typed })).text;
  },
} as const;
export const passed = {
  pause: 'Protection is paused',
  uninstall: 'may be uninstalled',
  restore: 'We could not put it back',
  link: 'Connected.',
} as const;
export type Weakening = keyof typeof four;
export const all: Weakening[] = ['pause', 'uninstall', 'restore', 'link'];

export async function expectLocked(test: TestAgent, which = all): Promise<void> {
  const browser = await browserOf(test);
  for (const name of which) expect(await four[name](test, browser, testPin), name).toContain(notEnough);
}
export const pinPauses = async (test: TestAgent) => four.pause(test, await browserOf(test), testPin);
