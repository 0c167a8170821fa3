import { minute } from '@porchlight/contract/time.ts';
import { expect, it } from 'vitest';
import { incidentLog } from './incidents.ts';

const at = (minutes: number) => new Date(minutes * minute);
const stopped = (kind: 'program' | 'site', name: string, blocked = true) => ({
  ...{ match: { identifier: name, name, category: 'ScamWebsite' as const, certainty: 'certain' as const, why: [] } },
  ...{ kind, blocked, what_to_do: '', detection: null },
});

it('many sites of one page open the calm screen once in ten minutes, showing the newest site', () => {
  const seen = incidentLog();
  const opened = Array.from({ length: 30 }, (_, n) => seen.add(stopped('site', `evil${n}.test`), at(n / 10)));
  expect(opened.filter(Boolean)).toEqual([true]);
  expect(seen.current(at(3))?.match.name).toBe('evil29.test');
  expect(seen.add(stopped('site', 'late.test'), at(10))).toBe(true);
});

it('the calm screen keeps showing a recent program when a site is blocked, and a program replaces a site of its definition', () => {
  const seen = incidentLog();
  expect(seen.add(stopped('site', 'anydesk'), at(0))).toBe(true);
  expect(seen.add(stopped('program', 'anydesk'), at(1))).toBe(true);
  expect(seen.current(at(1))).toMatchObject({ kind: 'program', times: 1 });
  expect(seen.add(stopped('site', 'evil.test'), at(2))).toBe(false);
  expect(seen.current(at(2))?.kind).toBe('program');
  expect(seen.add(stopped('site', 'evil.test'), at(11))).toBe(true);
  expect(seen.current(at(11))?.kind).toBe('site');
});

it('a program that is no longer stopped opens the calm screen again, repeated detections do not', () => {
  const seen = incidentLog();
  expect(seen.add(stopped('program', 'anydesk'), at(0))).toBe(true);
  expect(seen.add(stopped('program', 'anydesk'), at(1))).toBe(false);
  expect(seen.add(stopped('program', 'anydesk', false), at(2))).toBe(true);
  expect(seen.current(at(2))).toMatchObject({ times: 3, blocked: false });
  expect(seen.add(stopped('program', 'anydesk', false), at(3))).toBe(false);
});

it('the agent asks the server, as the device that reported a detection, who was notified of it, until no answer is pending', () => {
  const seen = incidentLog();
  const incidentOf = (uuid: string, device = 'den', blocked = true) => ({
    ...stopped('program', 'anydesk', blocked),
    detection: { uuid, device },
  });
  const addAnswer = (detection: string, state: 'sent' | 'waiting') => seen.addAnswers([{ detection, people: [{ name: 'Bob', state }] }]);
  seen.add(incidentOf('first'), at(0));
  seen.add(incidentOf('repeat'), at(1));
  expect([seen.asks(at(1), 'den'), seen.asks(at(1), 'attic'), seen.asks(at(1), undefined)]).toEqual([['first'], [], []]);
  addAnswer('repeat', 'sent');
  addAnswer('first', 'waiting');
  expect(seen.asks(at(2), 'den')).toEqual(['first']);
  addAnswer('first', 'sent');
  expect(seen.asks(at(2), 'den')).toEqual([]);
  seen.add(incidentOf('again'), at(3));
  expect([seen.asks(at(3), 'den'), seen.current(at(3))?.notified]).toEqual([[], [{ name: 'Bob', state: 'sent' }]]);
  // A program that is no longer stopped gets an alert of its own, and so does a detection of another device.
  seen.add(incidentOf('open', 'den', false), at(4));
  expect([seen.asks(at(4), 'den'), seen.current(at(4))?.notified]).toEqual([['open'], null]);
  seen.add(incidentOf('moved', 'attic', false), at(5));
  expect([seen.asks(at(5), 'den'), seen.asks(at(5), 'attic')]).toEqual([[], ['moved']]);
  expect(seen.asks(at(5 + 24 * 60), 'attic')).toEqual([]);
});
