import type { Silence } from '@porchlight/contract/care.ts';
import { zero_time } from '@porchlight/contract/limits.ts';
import { expect, test } from 'vitest';
import { type SafeAlert, type SafeDevice, safeSentence } from './safe-sentence.ts';

const now = new Date(2026, 10, 21, 15, 0);
const fresh = { moment: now, silent: null };
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
const device = (name: string, seen: number | null, more: Partial<SafeDevice> = {}): SafeDevice => ({
  uuid: name,
  name,
  last_seen: seen === null ? null : ago(seen),
  last_detection: zero_time,
  ...more,
});
const silence = (kind: Silence['kind'], hours: number, left?: number) => ({
  silence: { kind, since: ago(hours), ...(left === undefined ? {} : { until: ago(-left) }) },
});
const alert = (hours: number, blocked = true, certainty: 'certain' | 'likely' = 'certain'): SafeAlert => ({
  uuid: `a${hours}`,
  device_id: 'Den PC',
  info: { name: 'AnyDesk', time: ago(hours), last_time: ago(hours), blocked, certainty, site: false },
});
const site = (hours: number, blocked: boolean): SafeAlert => {
  const { info, ...more } = alert(hours, blocked);
  return { ...more, info: { ...info, name: 'evil.test', site: true } };
};

test.each<[string, SafeDevice[], SafeAlert[], string, string]>([
  ['no device', [], [], 'empty', 'Nobody is protected yet'],
  ['only a pending one', [device('Mum’s laptop', null, { login_code: 'ABCD-EFGH' })], [], 'look', 'Mum’s laptop is not connected yet'],
  ['all seen', [device('Den PC', 0), device('Mac', 20)], [], 'safe', 'Everyone is protected'],
  ['one not seen for two days', [device('Den PC', 0), device('Mac', 48)], [], 'look', 'Mac has not been seen since Thursday 3:00 PM'],
  ['two not seen', [device('Den PC', 30), device('Mac', 48)], [], 'look', 'Den PC and 1 more has not been seen since yesterday 9:00 AM'],
  ['something stopped an hour ago', [device('Den PC', 0)], [alert(1)], 'alert', 'We stopped AnyDesk on Den PC, today 2:00 PM'],
  [
    'something that looks like it',
    [device('Den PC', 0)],
    [alert(1, true, 'likely')],
    'alert',
    'We stopped what looks like AnyDesk on Den PC, today 2:00 PM',
  ],
  [
    'not blocked comes before a newer one that was',
    [device('Den PC', 0)],
    [alert(1), alert(3, false)],
    'alert',
    'AnyDesk was started on Den PC, today 12:00 PM, and was not blocked',
  ],
  ['a site that was stopped', [device('Den PC', 0)], [site(1, true)], 'alert', 'We stopped a page of evil.test on Den PC, today 2:00 PM'],
  [
    'a site that was not',
    [device('Den PC', 0)],
    [site(1, false)],
    'alert',
    'A page of evil.test was opened on Den PC, today 2:00 PM, and was not blocked',
  ],
  ['an old alert is over', [device('Den PC', 0)], [alert(25)], 'safe', 'Everyone is protected'],
  [
    'one that was switched off, however long ago',
    [device('Den PC', 0), device('Mac', 100, silence('switched_off', 100))],
    [],
    'safe',
    'Everyone is protected',
  ],
  ['one that vanished', [device('Mac', 50, silence('vanished', 48))], [], 'look', 'Mac has not been seen since Thursday 3:00 PM'],
  [
    'one that is paused',
    [device('Mac', 0, silence('paused', 0.5, 0.5))],
    [],
    'look',
    'Mac is without protection until 3:30 PM: someone paused it today 2:30 PM',
  ],
  [
    'one that was stopped',
    [device('Mac', 1, silence('stopped', 1))],
    [],
    'look',
    'Mac is without protection: someone ended the program today 2:00 PM',
  ],
  [
    'uninstalled comes before paused, stopped and not seen',
    [
      device('A', 0, silence('paused', 1, 1)),
      device('B', 50),
      device('C', 1, silence('stopped', 1)),
      device('D', 1, silence('uninstalled', 1)),
    ],
    [],
    'look',
    'D is no longer protected: the program was uninstalled today 2:00 PM',
  ],
  [
    'an alert comes before all of these',
    [device('Den PC', 0), device('D', 1, silence('uninstalled', 1))],
    [alert(1)],
    'alert',
    'We stopped AnyDesk on Den PC, today 2:00 PM',
  ],
])('%s', (_title, devices, alerts, mood, sentence) => {
  expect(safeSentence(devices, alerts, now, fresh)).toMatchObject({ mood, sentence });
});

test('with all well it says how many are on and since when nothing has happened', () => {
  expect(safeSentence([device('Den PC', 0), device('Mac', 20)], [alert(72)], now, fresh).more).toBe(
    '2 devices protected, 1 on right now. Nothing has happened since Wednesday 3:00 PM.',
  );
});

test('one that was switched off is said to be, without alarm', () => {
  const { more } = safeSentence([device('Den PC', 0), device('Mac', 20, silence('switched_off', 20))], [], now, fresh);
  expect(more).toBe(
    '2 devices protected, 1 on right now. Mac was switched off yesterday 7:00 PM, and has not been on since. Nothing has happened so far.',
  );
});

test('what is old is judged by the moment that it is of', () => {
  const then = new Date(now.getTime() - 30 * 3_600_000);
  const old = safeSentence([device('Den PC', 30)], [alert(78)], now, { moment: then, silent: then });
  expect(old).toMatchObject({ mood: 'safe', sentence: 'Everyone is protected' });
  expect(old.more).toBe('1 device protected, all on then. Nothing has happened since Wednesday 9:00 AM.');
  const alerted = safeSentence([device('Den PC', 30)], [alert(32)], now, { moment: then, silent: then });
  expect(alerted).toMatchObject({ mood: 'alert', sentence: 'We stopped AnyDesk on Den PC, yesterday 7:00 AM' });
});
