import { minute } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { type NetworkState, networkState, networkVerdict, type OfflineDevice, outageVerdict } from './watch-rule.ts';

const usualDevice: OfflineDevice = { silent: 15 * minute, trouble: false, says_sleep: true, offline_spells: 0, refusing: false };

test.each<[string, Partial<OfflineDevice>, ReturnType<typeof outageVerdict>]>([
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
])('[P12.7] the outage verdict is as expected for a device that is %s', (_what, overrides, verdict) => {
  expect(outageVerdict({ ...usualDevice, ...overrides })).toBe(verdict);
});

const usualNetwork: NetworkState = { together: 1, online: 0, seenSince: false, waited: 15 * minute };

test.each<[string, Partial<NetworkState>, ReturnType<typeof networkVerdict>]>([
  ['the only device is silent', {}, 'theirs'],
  ['one of two is silent', { online: 1, seenSince: true }, 'theirs'],
  ['both of two fell silent together', { together: 2 }, 'own'],
  ['both of two fell silent, for a day', { together: 2, waited: 1440 * minute }, 'own'],
  ['four of twenty are silent', { together: 4, online: 16, seenSince: true }, 'theirs'],
  ['five of a hundred are silent', { together: 5, online: 95, seenSince: true }, 'own'],
  ['five of a hundred are silent for almost an hour', { together: 5, online: 95, seenSince: true, waited: 60 * minute - 1 }, 'own'],
  ['five of a hundred are silent for an hour', { together: 5, online: 95, seenSince: true, waited: 60 * minute }, 'tired'],
  ['five of a thousand are silent', { together: 5, online: 995, seenSince: true }, 'theirs'],
  ['a tenth of a million is silent', { together: 100_000, online: 900_000, seenSince: true }, 'own'],
])('[P12.7] the network verdict is as expected when %s', (_what, overrides, verdict) => {
  expect(networkVerdict({ ...usualNetwork, ...overrides })).toBe(verdict);
});

/** The device fell silent at 0; the check is at `now`. */
test.each<[string, { now: number; others: number[]; counts_since?: number }, Partial<NetworkState>]>([
  ['is the only one', { now: 15 * minute, others: [] }, { together: 1, seenSince: false, waited: 15 * minute }],
  ['fell silent exactly three minutes before another', { now: 15 * minute, others: [3 * minute] }, { together: 2, seenSince: false }],
  ['fell silent more than three minutes before another', { now: 15 * minute, others: [3 * minute + 1] }, { together: 1, seenSince: true }],
  ['fell silent exactly three minutes after another', { now: 15 * minute, others: [-3 * minute] }, { together: 2, seenSince: false }],
  ['fell silent more than three minutes after another', { now: 15 * minute, others: [-3 * minute - 1] }, { together: 1, seenSince: false }],
  ['fell silent with one that is online again', { now: 15 * minute, others: [0, 14 * minute] }, { together: 2, seenSince: true }],
  // A device that was seen within the last two minutes is online.
  ['was silent for three minutes, beside one for two', { now: 3 * minute, others: [1 * minute] }, { together: 2, seenSince: false }],
  ['was silent for three minutes, beside one for less', { now: 3 * minute, others: [1 * minute + 1] }, { together: 1, seenSince: true }],
  ['waits since the server was up', { now: 15 * minute, others: [], counts_since: 9 * minute }, { waited: 6 * minute }],
])('[P12.7] the network is as expected for a device that %s', (_what, { now, others, counts_since = 0 }, expected) => {
  const last_seen = new Map([['own', 0], ...others.map((time, n) => [`other ${n}`, time] as const)]);
  expect(networkState({ uuid: 'own', last_seen: 0, counts_since }, { last_seen, online: 7 }, now)).toMatchObject({
    online: 7,
    ...expected,
  });
});
