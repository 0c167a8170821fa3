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
    rules({ allow: [{ type: 'definition', identifier: 'anydesk', until: null }] as Rules['allow'] }),
    undefined,
  ],
])('%s produces the step that the policy requires', (_what, matchFound, policy, kind) => {
  expect(decideProgram({ kind: 'program', match: matchFound, process }, policy, now)?.kind).toBe(kind);
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
