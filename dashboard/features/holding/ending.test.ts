import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { hour } from '@porchlight/contract/time.ts';
import { afterAll, expect, test, vi } from 'vitest';

vi.stubGlobal('document', { getElementById: () => ({ textContent: '{"features":{"guardians":true}}' }) });
// The settings of the page are read once, when the module is loaded, and files of tests share modules.
vi.resetModules();
const { endingOf } = await import('./ending.ts');
afterAll(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const now = new Date('2026-11-25T12:00:00.000Z');
const at = (hours: number) => new Date(now.getTime() + hours * hour).toISOString();
const request: HeldRequest = {
  ...{
    uuid: 'one',
    incident: null,
    state: 'no',
    wants: ['You want to allow AnyDesk on Den PC.'],
    who: 'You',
    cause: 'incident',
    rule: 'day',
  },
  activities: [{ kind: 'allowed', device: 'Den PC', what: 'AnyDesk' }],
  ...{ device: null, device_name: 'Den PC', time: at(-1), until: at(23), passes: at(23), lifted: null, asked: [], unproven: false },
  answers: [{ by: 'Bob', you: false, time: at(0), answer: 'no' }],
  ...{ because: '', by_server: true, may_last: false, mine: { may: 'yes' } },
};
const mine = [{ by: 'Ann', you: true, time: at(0), answer: 'no' as const }];
const run = { kind: 'run' as const, device: 'Den PC', what: 'Setup.exe' };
const money = { kind: 'open_money' as const, device: 'Den PC', what: '' };

test.each<[words: string, changes: Partial<HeldRequest>]>([
  ['Bob said no. Nothing has changed.', {}],
  ['You took it back. Nothing has changed.', { answers: mine }],
  ['Bob said no. It was taken back.', { state: 'undone' }],
  ['You took it back.', { state: 'undone', answers: mine }],
  ['Bob said no. It stays off.', { cause: 'first_hour' }],
  ['You took it back. It stays off.', { cause: 'first_hour', answers: mine }],
  ['Bob said no. It stays off.', { cause: 'waiting', activities: [run] }],
  ['Bob said no. Money pages rest while a stranger may be at the computer.', { cause: 'waiting', activities: [money] }],
  ['This request has ended. Nothing has changed. You can try again.', { state: 'lapsed' }],
  ['This request has ended. It stays off. You can try again.', { state: 'lapsed', cause: 'first_hour' }],
  ['Nobody answered in time. It stays off. You can try again.', { state: 'lapsed', cause: 'waiting', activities: [run], answers: [] }],
])('%s', (words, changes) => {
  expect(endingOf({ ...request, ...changes }, null, now)?.words).toBe(words);
});
