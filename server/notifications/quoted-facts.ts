import type { Person } from '@porchlight/contract/devices.ts';
import type { RequestedActivity } from '@porchlight/contract/held-requests.ts';
import { supportName } from '@porchlight/contract/words/activities.ts';
import { firstName } from '../texts/formatting.ts';
import { type Named, quotedName } from '../texts/quoted-name.ts';
import { nameOfBefore, type Rename } from './renames.ts';
import type { LoggedAct } from './render/activity.ts';
import type { Facts } from './render/render.ts';

/** How messages of one account quote names (P18.1). Nothing stays nothing. */
export interface Quoter {
  name(name: string, named: Named): string;
  /** The first name of who did something. `person`: the account's or a guardian's id. */
  actor(name: string, person?: string | null): string;
}

export function quoterOf(account: string, renames: Rename[]): Quoter {
  const name: Quoter['name'] = (full, named) => full && quotedName(nameOfBefore(renames, named, full), named);
  const holder = renames.find(({ kind }) => kind === 'holder');
  return {
    name,
    actor(first, person) {
      if (!first || first === supportName) return first;
      const before = holder && first === firstName(holder.after) ? firstName(holder.before) : first;
      return quotedName(before, person === account ? 'holder' : 'guardian');
    },
  };
}

/** An account's holder by the whole name as messages quote it, and what quotes the account's other names. */
export interface QuotedHolder {
  holder: string;
  quoter: Quoter;
}

/** The kind of name that the `what` of an activity is; other kinds have our own words there. */
const namedIn: Partial<Record<RequestedActivity['kind'], Named>> = {
  allowed: 'program',
  asked: 'program',
  helping: 'program',
  run: 'program',
  ...{ profile_chosen: 'profile', profile_changed: 'profile' },
  ...{ guardian_added: 'guardian', guardian_removed: 'guardian', guardians_reordered: 'guardian', isolation_off: 'guardian' },
  ...{ person_changed: 'person', call_consent_off: 'person', device_added: 'person' },
};
const website = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

export function quotedActivity<A extends { kind: RequestedActivity['kind']; device: string; what: string }>(
  quoter: Quoter,
  activity: A,
): A {
  const named = namedIn[activity.kind];
  // An allowed website is its address, which says what was allowed.
  const isName = named && !(activity.kind === 'allowed' && website.test(activity.what));
  return {
    ...activity,
    device: quoter.name(activity.device, 'device'),
    what: isName ? quoter.name(activity.what, named) : activity.what,
  };
}

type Quote<F> = (facts: F, quoter: Quoter) => F;

const personOf = (person: Person | null, quoter: Quoter) => person && { ...person, name: quoter.name(person.name, 'person') };
/** The device and its user, which most messages name. */
const place = <F extends { device: string; person: Person | null }>(facts: F, quoter: Quoter): F => ({
  ...facts,
  device: quoter.name(facts.device, 'device'),
  person: personOf(facts.person, quoter),
});
const pressed = <F extends { device: string; person: Person | null; by: string; by_person: string }>(facts: F, quoter: Quoter): F => ({
  ...place(facts, quoter),
  by: quoter.actor(facts.by, facts.by_person),
});
const outage = <F extends { name: string; person: Person | null }>(facts: F, quoter: Quoter): F => ({
  ...facts,
  name: quoter.name(facts.name, 'device'),
  person: personOf(facts.person, quoter),
});
const requested = <F extends { device: string; person: Person | null; activities: RequestedActivity[] }>(facts: F, quoter: Quoter): F => ({
  ...place(facts, quoter),
  activities: facts.activities.map((activity) => quotedActivity(quoter, activity)),
});
const guardianOf = <F extends { name: string }>(facts: F, quoter: Quoter): F => ({ ...facts, name: quoter.name(facts.name, 'guardian') });
const act = (facts: LoggedAct, quoter: Quoter): LoggedAct => ({
  ...quotedActivity(quoter, facts),
  ...(facts.person ? { person: personOf(facts.person, quoter) } : {}),
  ...(facts.by === undefined ? {} : { by: quoter.actor(facts.by) }),
});

/** Which facts of each notification are names. A new one does not compile until it is here. */
const quotes: { [K in keyof Facts]: Quote<Facts[K]> } = {
  alert: (facts, quoter) => ({ ...place(facts, quoter), name: facts.site ? facts.name : quoter.name(facts.name, 'program') }),
  quiet_alerts: (facts, quoter) => ({
    ...facts,
    found: facts.found.map((one) => ({
      ...one,
      name: one.site ? one.name : quoter.name(one.name, 'program'),
      device: quoter.name(one.device, 'device'),
    })),
  }),
  scan: (facts, quoter) => ({
    ...place(facts, quoter),
    items: facts.items.map((item) => ({ ...item, name: quoter.name(item.name, 'program') })),
  }),
  code_shown: (facts, quoter) => ({ ...place(facts, quoter), by: quoter.actor(facts.by) }),
  drill: (facts) => facts,
  ...{ outage, sudden_outage: outage },
  outage_over: (facts, quoter) => ({ ...facts, outage: outage(facts.outage, quoter) }),
  weakened: (facts, quoter) => ({ ...facts, act: act(facts.act, quoter) }),
  flood: (facts, quoter) => ({ ...facts, act: act(facts.act, quoter) }),
  grouped: (facts, quoter) => ({ ...facts, entries: facts.entries.map((entry) => act(entry, quoter)) }),
  ...{ unreachable: guardianOf, unreached: guardianOf },
  weekly: (facts, quoter) => ({
    ...facts,
    week: {
      ...facts.week,
      alerts: facts.week.alerts.map((one) => ({
        ...one,
        name: website.test(one.name) ? one.name : quoter.name(one.name, 'program'),
        device_name: quoter.name(one.device_name, 'device'),
      })),
      devices: facts.week.devices.map((one) => ({ ...one, name: quoter.name(one.name, 'device') })),
      undelivered: facts.week.undelivered.map((one) => ({
        ...one,
        name: quoter.name(one.name, one.guardian === null ? 'holder' : 'guardian'),
      })),
    },
  }),
  held_request: (facts, quoter) => ({
    ...requested(facts, quoter),
    ...(facts.asked ? { asked: facts.asked.map((name) => quoter.actor(name)) } : {}),
  }),
  request_answered: (facts, quoter) => ({ ...requested(facts, quoter), by: quoter.actor(facts.by, facts.by_person) }),
  request_passed: requested,
  request_lifted: requested,
  request_ended: requested,
  incident_over: pressed,
  incident_checkup: place,
  guardian_stop: (facts, quoter) => ({
    ...pressed(facts, quoter),
    isolated: facts.isolated.map((one) => ({ ...one, device: quoter.name(one.device, 'device') })),
  }),
  isolated: pressed,
  isolation_lost: place,
  help: place,
  nobody_answered: (facts, quoter) => ({ ...place(facts, quoter), what: facts.what && quoter.name(facts.what, 'program') }),
};

export function quoteFacts<K extends keyof Facts>(
  { kind, facts }: { kind: K; facts: Facts[K] },
  quoter: Quoter,
): { kind: K; facts: Facts[K] } {
  return { kind, facts: quotes[kind](facts, quoter) };
}
