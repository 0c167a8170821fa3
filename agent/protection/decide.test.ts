import type { Match } from '@porchlight/definitions/format.ts';
import { expect, test } from 'vitest';
import type { ProcessSeen } from '../os/port.ts';
import type { Rules } from '../state/in-force.ts';
import { decideProgram, decideSite, decideStored } from './decide.ts';
import { detectSite } from './detectors/sites.ts';

const now = new Date('2026-11-22T12:00:00Z');
const match: Match = { identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain', why: [] };
const process = { pid: 7, started: '1', path: '/opt/anydesk', program: { os: 'linux', name: 'anydesk' } } as ProcessSeen;
const rules = (more: Partial<Rules> = {}): Rules => ({
  actions: { RemoteControl: 'block', ScamWebsite: 'block', DeceptiveUtility: 'alert' },
  block_likely: true,
  allow: [],
  ...more,
});

test.each([
  ['a program of a blocked category', match, rules(), 'end_process'],
  [
    'a likely program, where likely ones are not blocked',
    { ...match, certainty: 'likely' as const },
    rules({ block_likely: false }),
    'report_only',
  ],
  ['a program of a category that only alerts', { ...match, category: 'DeceptiveUtility' as const }, rules(), 'report_only'],
  [
    'an allowed program',
    match,
    rules({ allow: [{ type: 'definition', identifier: 'anydesk', until: null, reported_until: null }] }),
    undefined,
  ],
])('%s produces the step that the policy requires', (_what, matchFound, policy, kind) => {
  expect(decideProgram({ kind: 'program', match: matchFound, process }, policy, { now, signedNow: now })?.kind).toBe(kind);
});

const soon = '2026-11-22T12:00:01.000Z';
const entry = (more: Partial<Rules['allow'][number]> = {}) => ({
  ...{ type: 'definition' as const, identifier: 'anydesk', until: null, reported_until: soon },
  ...more,
});
const report = { kind: 'report_only', is_allowed: true };

test.each<[string, Rules['allow'], object | null]>([
  ['an entry whose starts are reported', [entry()], report],
  ['an entry that ends later', [entry({ until: soon })], report],
  ['an entry whose starts are not reported', [entry({ reported_until: null })], null],
  ['an entry whose starts were reported until now', [entry({ reported_until: now.toISOString() })], null],
  ['an older entry, and one whose starts are reported', [entry({ reported_until: null }), entry()], report],
  ['an entry for another program whose starts are reported', [entry({ reported_until: null }), entry({ identifier: 'teamviewer' })], null],
  ['an entry that has ended, although its starts would be reported', [entry({ until: now.toISOString() })], { kind: 'end_process' }],
])('[P9.1] a remote-control program that starts with %s produces the step that the entry requires', (_what, allow, expected) => {
  const step = decideProgram({ kind: 'program', match, process }, rules({ allow }), { now, signedNow: now });
  if (expected) expect(step).toMatchObject(expected);
  else expect(step).toBeNull();
});

test('[P9.1] only the start of a remote-control program is reported although it is allowed, and the local clock does not end that', () => {
  const policy = rules({ allow: [entry()] });
  const finding = { kind: 'program' as const, match, process };
  const times = { now, signedNow: now };
  expect(decideProgram({ ...finding, seen_before: true }, policy, times)).toBeNull();
  expect(decideProgram({ ...finding, match: { ...match, category: 'DeceptiveUtility' } }, policy, times)).toBeNull();
  const nextYear = new Date('2027-11-22T12:00:00Z');
  expect(decideProgram(finding, policy, { now: nextYear, signedNow: now })).toMatchObject(report);
  expect(decideProgram(finding, policy, { now, signedNow: nextYear })).toBeNull();
});

test.each([
  [true, 'refuse_name'],
  [false, 'report_only'],
])('a site attempt with blocked=%s produces the step %s', (blocked, kind) => {
  expect(decideSite(detectSite({ site: 'scam.example', definition: null, blocked }))).toMatchObject({
    kind,
    finding: { site: 'scam.example' },
  });
});

test.each([
  [{ verdict: 'goes', step: 'quarantine' }, 'quarantine'],
  [{ verdict: 'stays', reason: 'alert_only' }, 'report_only'],
  [{ verdict: 'stays', reason: 'only_likely' }, 'report_only'],
  [{ verdict: 'stays', reason: 'allowed' }, undefined],
  [{ verdict: 'stays', reason: 'part_of_system' }, undefined],
])('a disk entry with %o produces the step %s', (verdict, kind) => {
  const decision = { kind: 'downloads', at: 0, name: 'anydesk.deb', match, ...verdict } as never;
  expect(decideStored({ kind: 'stored', match, listing: {} as never, decision })?.kind).toBe(kind);
});
