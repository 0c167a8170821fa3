import { expect, it, onTestFinished } from 'vitest';
import { fakeSystem } from '../testing/fake-os.ts';
import { until } from '../testing/until.ts';
import { type BrowserPoliciesDeps, browserPolicies } from './browsers.ts';
import type { StoredPolicies } from './reconcile.ts';

function browsersForTest(change: Partial<BrowserPoliciesDeps> = {}) {
  const os = fakeSystem();
  const state = { wanted: true, uninstalling: false, stored: { policies: [], containers: [] } as StoredPolicies, lines: [] as string[] };
  const part = browserPolicies({
    store: os.browserPolicies(),
    record: { load: async () => state.stored, save: async (stored) => void (state.stored = stored) },
    wanted: () => (state.wanted ? { incident: false, origins: [] } : 'none'),
    isUninstalling: async () => state.uninstalling,
    log: (sentence) => void state.lines.push(sentence),
    ...change,
  });
  onTestFinished(() => part.close(false));
  const isSet = () => os.policies.DnsOverHttpsMode === 'off';
  return { os, state, part, isSet };
}

it('[P12.2] a policy that someone has removed is set again at the next check', async () => {
  const { os, part, isSet } = browsersForTest({ checkMs: 20 });
  part.changed();
  await until('the policies', isSet);
  os.policies = { HomepageLocation: 'https://school.example' };
  await until('the policies again', isSet);
  expect(os.policies.HomepageLocation).toBe('https://school.example');
});

it('[P12.2] during an uninstall the policies are removed, and not set again', async () => {
  const { os, state, part, isSet } = browsersForTest();
  part.changed();
  await until('the policies', isSet);
  state.uninstalling = true;
  part.changed();
  await part.close(false);
  expect(os.policies).toEqual({});
});

it.each([
  [true, false],
  [false, true],
])('[P12.2] the policies after a close with restore %s are set: %s', async (restore, expected) => {
  const { part, isSet } = browsersForTest();
  part.changed();
  await until('the policies', isSet);
  await part.close(restore);
  expect(isSet()).toBe(expected);
});

it('[P12.2] policies that cannot be changed are a problem until they can, and it is logged once', async () => {
  const os = fakeSystem();
  const store = os.browserPolicies();
  let refuses = true;
  const { part, state, isSet } = browsersForTest({
    store: { ...store, set: async (...args) => (refuses ? Promise.reject(new Error('the disk is full')) : store.set(...args)) },
    checkMs: 20,
  });
  part.changed();
  const sentence = 'Some browser settings could not be changed (the disk is full).';
  await until('the problem', () => part.problems().length > 0);
  part.changed();
  expect(part.problems()).toEqual([sentence]);
  refuses = false;
  await until('no problem', () => part.problems().length === 0);
  expect(state.lines.filter((line) => line === sentence)).toHaveLength(1);
  expect([isSet(), os.policies.DnsOverHttpsMode]).toEqual([false, 'off']);
});
