import type { UpdateManifest } from '@porchlight/contract/updates.ts';
import { expect, test } from 'vitest';
import { evaluateUpdate } from './offer.ts';

const now = new Date('2026-06-01T00:00:00Z');
const file = (target: 'linux-x64' | 'win-x64', name: string) => ({ target, name, size: 1, sha256: '0'.repeat(64), unpacked_size: 1 });
const manifest: UpdateManifest = {
  agent_version: '1.2.3',
  issued: '2026-05-01T00:00:00Z',
  expires: '2026-07-01T00:00:00Z',
  files: [file('linux-x64', 'koffi-1.node'), file('linux-x64', 'agent'), file('win-x64', 'agent')],
};
const running = { version: '1.2.2', target: 'linux-x64' as const, failed: [] };

test('a newer version is accepted, with the files for this system', () => {
  expect(evaluateUpdate(manifest, running, now)).toEqual({ take: manifest.files.slice(0, 2) });
});

test.each([
  ['1.2.2', '1.2.3', true],
  ['1.2.9', '1.2.10', true],
  ['1.9.9', '1.10.0', true],
  ['9.9.9', '10.0.0', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.10', '1.2.9', false],
  ['2.0.0', '1.99.99', false],
])('only a higher version is accepted: from %s to %s is %s', (version, agent_version, isTaken) => {
  expect('take' in evaluateUpdate({ ...manifest, agent_version }, { ...running, version }, now)).toBe(isTaken);
});

test.each([
  ['expired', { expires: '2026-06-01T00:00:00Z' }, {}, 'expired'],
  ['expired, though it is another time zone', { expires: '2026-06-01T01:30:00+02:00' }, {}, 'expired'],
  ['one that failed before', {}, { failed: ['1.0.0', '1.2.3'] }, 'failed before'],
  ['for other systems', { files: [file('win-x64', 'agent')] }, {}, 'not for this system'],
  ['without a program', { files: [file('linux-x64', 'koffi-1.node')] }, {}, 'not for this system'],
  ['with two programs', { files: [file('linux-x64', 'agent'), file('linux-x64', 'agent')] }, {}, 'not for this system'],
] as const)('an update that is %s is not installed', (_what, change, more, leave) => {
  expect(
    evaluateUpdate(
      { ...manifest, ...change } as UpdateManifest,
      { ...running, ...more, failed: [...('failed' in more ? more.failed : [])] },
      now,
    ),
  ).toEqual({ leave });
});
