import { hour } from '@porchlight/contract/time.ts';
import { expect, it } from 'vitest';
import { incidentLog } from './incidents.ts';

const at = (hours: number) => new Date(1_800_000_000_000 + hours * hour);
const stopped = (kind: 'program' | 'site', name: string) => ({
  ...{ match: { identifier: name, name, category: 'ScamWebsite' as const, certainty: 'certain' as const, why: [] } },
  ...{ kind, blocked: true, what_to_do: '', detection: null },
});

it.each(['program', 'site'] as const)('[P4.4] a %s stopped after the clock was set back opens the calm screen once', (kind) => {
  const seen = incidentLog();
  expect(seen.add(stopped(kind, 'anydesk'), at(0))).toBe(true);
  expect(seen.add(stopped(kind, 'anydesk'), at(-24))).toBe(true);
  expect(seen.current(at(-24))).toMatchObject({ first: at(-24), times: 1 });
  expect(seen.add(stopped(kind, 'anydesk'), at(-24))).toBe(false);
});

it('[P4.4] an incident dated by a fast clock does not prevent showing a blocked site', () => {
  const seen = incidentLog();
  seen.add(stopped('program', 'anydesk'), at(0));
  expect(seen.add(stopped('site', 'evil.test'), at(-24))).toBe(true);
  expect(seen.current(at(-24))?.kind).toBe('site');
});
