import type { Person } from '@porchlight/contract/devices.ts';
import type { Notification } from '../notifications/render/render.ts';

/** Notifications about emergencies, for the tests of their words. */
const time = new Date('2026-11-21T14:05:00.000Z');
const in15Minutes = new Date('2026-11-21T14:20:00.000Z');
export const inAnHour = new Date('2026-11-21T15:05:00.000Z');
export const tomorrow = new Date('2026-11-22T14:05:00.000Z');
export const inIncident = { incident: 'i', device: 'Den PC', time, time_zone: 'America/New_York' };
export type EmergencyFacts = typeof inIncident & { person: Person | null };
const carol = { by: 'Carol', by_person: 'carol' };
export const stop = { ...carol, account: 'account', until: tomorrow };
export const isolation = { ...carol, isolation: 'x', until: in15Minutes };
const offline = { device: 'Den PC', until: in15Minutes };
/** The notification, and whether the messages leave late. */
export const emergencies = {
  'Stop this': [(facts) => ({ kind: 'guardian_stop', facts: { ...facts, ...stop, isolated: [] } }), false],
  'Stop this, with the internet cut on two computers': [
    (facts) => ({ kind: 'guardian_stop', facts: { ...facts, ...stop, isolated: [offline, offline] } }),
    false,
  ],
  'Stop this, sent late': [(facts) => ({ kind: 'guardian_stop', facts: { ...facts, ...stop, isolated: [offline] } }), true],
  'an isolation that its user can end': [(facts) => ({ kind: 'isolated', facts: { ...facts, ...isolation, may_end: true } }), false],
  'an isolation that its user cannot end': [(facts) => ({ kind: 'isolated', facts: { ...facts, ...isolation, may_end: false } }), false],
  'an isolation, sent late': [(facts) => ({ kind: 'isolated', facts: { ...facts, ...isolation, may_end: true } }), true],
  'an isolation that is not in force': [
    (facts) => ({ kind: 'isolation_lost', facts: { ...facts, isolation: 'x', by_person: null } }),
    false,
  ],
  'an isolation that is not in force, sent late': [
    (facts) => ({ kind: 'isolation_lost', facts: { ...facts, isolation: 'x', by_person: null } }),
    true,
  ],
  'a call for help': [(facts) => ({ kind: 'help', facts: { ...facts, about: 'h', until: inAnHour, by_person: null } }), false],
  'a call for help, sent late': [(facts) => ({ kind: 'help', facts: { ...facts, about: 'h', until: inAnHour, by_person: null } }), true],
} as const satisfies Record<string, [(facts: EmergencyFacts) => Notification, boolean]>;
