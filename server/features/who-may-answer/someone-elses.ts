import type { Person } from '@porchlight/contract/devices.ts';
import { day, hour } from '@porchlight/contract/time.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';

/** A person of a device that was named later than this before counts (P8.1). */
const person_counts = 72 * hour;

interface PersonFact {
  person: Person | null;
  person_set: Date | null;
  installed: Date | null;
  /** Whether a device of the account was removed within 72 hours before this one was made: it may be the same computer. */
  made_again: boolean;
  /** When a device of the account connected for the first time. */
  first_connected: Date | null;
  /** On how many days it called. */
  days_seen: number;
  /** A guardian's answer was *I don’t know it*. */
  unknown: boolean;
  now: Date;
}

/** So many days a device is seen on, unless it is younger. */
const days_known = 3;

const isYoung = (installed: Date, now: Date) => after(installed, person_counts) > now;

/** Whether a device first connected 72 hours ago or more, or on the account's first day. A stranger's has not. */
const isKnown = ({ installed, first_connected }: Pick<PersonFact, 'installed' | 'first_connected'>, now: Date): boolean =>
  installed !== null && (!isYoung(installed, now) || (first_connected !== null && installed <= after(first_connected, day)));

/**
 * Whether a device counts as somebody else's (P8.1, P18.2). A stranger with the password can buy a place for one, so it is known for 72 hours or
 * from the account's first day, is in use, and no guardian doubts it. A person that was named when the device was made counts as soon as the
 * device does, a later one after 72 hours, and so does one at a computer that may have been linked before.
 */
export function countsAsSomeoneElses(device: PersonFact): boolean {
  const { person, person_set, installed, made_again, first_connected, now } = device;
  if (!person || person.is_holder || !person_set || !installed || device.unknown) return false;
  if (!isKnown({ installed, first_connected }, now)) return false;
  if (!isYoung(installed, now) && device.days_seen < days_known) return false;
  return (person_set <= installed && !made_again) || after(person_set, person_counts) <= now;
}

/** Which computers of an account count as somebody else's, and which were ever connected. */
export const someoneElsesDevices = (clock: Clock) => ({
  /** The devices of the account that somebody other than the holder uses, as far as that counts. */
  async someoneElses(connection: Db | Trx, account: string): Promise<Set<string>> {
    const now = clock.now();
    const rows = await connection
      .selectFrom('devices')
      .leftJoin('hold_settings as h', 'h.account', 'devices.account')
      .select(['uuid', 'person', 'person_set', 'installed', 'created', 'days_seen', 'unknown_to', 'h.first_connected'])
      .where('devices.account', '=', account)
      .execute();
    if (!rows.some(({ person }) => person && !person.is_holder)) return new Set();
    const removals = await connection
      .selectFrom('activity_log')
      .select('time')
      .where('account', '=', account)
      .where('kind', 'in', ['device_removed', 'left', 'moved', 'undone', 'uninstalled'])
      .where('time', '>', after(now, -2 * person_counts))
      .execute();
    const isMadeAgain = (created: Date) => removals.some(({ time }) => time <= created && after(time, person_counts) > created);
    return new Set(
      rows.flatMap(({ uuid, created, unknown_to, ...row }) =>
        countsAsSomeoneElses({ ...row, made_again: isMadeAgain(created), unknown: unknown_to !== null, now }) ? [uuid] : [],
      ),
    );
  },

  /** Every device that was ever connected and not removed, silent or not, the last seen first. `known`: see `isKnown`. */
  async connected(connection: Db | Trx, account: string): Promise<{ uuid: string; name: string; known: boolean }[]> {
    const now = clock.now();
    const rows = await connection
      .selectFrom('devices')
      .leftJoin('hold_settings as h', 'h.account', 'devices.account')
      .select(['uuid', 'name', 'installed', 'h.first_connected'])
      .where('devices.account', '=', account)
      .where('last_seen', 'is not', null)
      .orderBy('last_seen', 'desc')
      .orderBy('uuid')
      .execute();
    return rows.map(({ uuid, name, ...row }) => ({ uuid, name, known: isKnown(row, now) }));
  },
});
