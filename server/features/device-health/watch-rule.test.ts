import { expect, test } from 'vitest';
import { type Hearing, networkVerdict, outageVerdict, type Silent } from './watch-rule.ts';

const minute = 60_000;
const usual: Silent = { silent: 15 * minute, trouble: false, says_sleep: true, offline_spells: 0, refusing: false };

test.each<[string, Partial<Silent>, ReturnType<typeof outageVerdict>]>([
  ['silent for a moment', { silent: 1 * minute }, 'wait'],
  ['silent for almost 15 minutes', { silent: 15 * minute - 1 }, 'wait'],
  ['silent for 15 minutes', {}, 'notify'],
  ['offline twice before', { offline_spells: 2 }, 'notify'],
  ['offline three times before', { offline_spells: 3 }, 'days'],
  ['an agent that does not say goodbye to sleep', { says_sleep: false }, 'days'],
  ['such an agent, not for so long yet', { says_sleep: false, silent: 14 * minute }, 'wait'],
  ['just after something was stopped, one lost call', { trouble: true, silent: 2 * minute - 1 }, 'wait'],
  ['just after something was stopped', { trouble: true, silent: 2 * minute }, 'notify'],
  ['just after something was stopped, while calls are refused', { trouble: true, refusing: true, silent: 15 * minute - 1 }, 'wait'],
  ['just after something was stopped, while calls are refused, for long', { trouble: true, refusing: true, says_sleep: false }, 'notify'],
  ['just after something was stopped, often offline before', { trouble: true, silent: 2 * minute, offline_spells: 9 }, 'notify'],
  ['just after something was stopped, no goodbye to sleep', { trouble: true, silent: 2 * minute, says_sleep: false }, 'notify'],
])('[P12.7] a device that is %s', (_what, more, verdict) => {
  expect(outageVerdict({ ...usual, ...more })).toBe(verdict);
});

const one: Hearing = { together: 1, heard: 0, heard_since: false, waited: 15 * minute };

test.each<[string, Partial<Hearing>, ReturnType<typeof networkVerdict>]>([
  ['the only device is silent', {}, 'theirs'],
  ['one of two is silent', { heard: 1, heard_since: true }, 'theirs'],
  ['both of two fell silent together', { together: 2 }, 'own'],
  ['both of two fell silent, for a day', { together: 2, waited: 1440 * minute }, 'own'],
  ['four of twenty are silent', { together: 4, heard: 16, heard_since: true }, 'theirs'],
  ['five of a hundred are silent', { together: 5, heard: 95, heard_since: true }, 'own'],
  ['five of a hundred are silent for almost an hour', { together: 5, heard: 95, heard_since: true, waited: 60 * minute - 1 }, 'own'],
  ['five of a hundred are silent for an hour', { together: 5, heard: 95, heard_since: true, waited: 60 * minute }, 'tired'],
  ['five of a thousand are silent', { together: 5, heard: 995, heard_since: true }, 'theirs'],
  ['a tenth of a million is silent', { together: 100_000, heard: 900_000, heard_since: true }, 'own'],
])('[P12.7] whose network it is: %s', (_what, more, verdict) => {
  expect(networkVerdict({ ...one, ...more })).toBe(verdict);
});
