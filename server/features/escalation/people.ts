import type { Db, Trx } from '../../db/open.ts';
import type { OptOutLookup } from '../../ports.ts';
import type { AtComputer } from '../../texts/at-computer.ts';
import { firstName } from '../../texts/formatting.ts';
import type { Callable } from './escalations.ts';

interface Phone {
  uuid: string;
  name: string;
  /** E.164. */
  phone_number: string | null;
  phone_number_verified: boolean;
}

export interface PeopleDeps {
  /** The devices of the account that somebody other than the holder uses, as far as that counts. */
  someoneElses(connection: Db | Trx, account: string): Promise<Set<string>>;
  holderOf(account: string, connection: Db | Trx): Promise<Phone>;
  /** In the order in which they are called. */
  activeGuardians(account: string, connection: Db | Trx): Promise<Phone[]>;
  holdersWith(number: string): Promise<Phone[]>;
  guardiansWith(number: string): Promise<(Phone & { account: string })[]>;
  optedOutOf: OptOutLookup;
}

/** A guardian, or the holder of somebody else's computer. `person`: the uuid of the guardian or of the account. */
export interface Replier {
  account: string;
  person: string;
  /** The first name. */
  name: string;
}

/** The user of the computer, whom others call. */
export type UserAt = (incident: { account: string; device: string; device_name: string }) => Promise<AtComputer>;

interface Place {
  account: string;
  device: string;
}

/** Who can answer about a computer: the guardians, and the holder of somebody else's computer, who comes first (P8.2, P10.2). */
export function escalationPeople(deps: PeopleDeps) {
  const isHolderAsked = async ({ account, device }: Place, connection: Db | Trx) =>
    (await deps.someoneElses(connection, account)).has(device);

  return {
    /** Those with a verified number that has not opted out (P5.5). */
    async callable(place: Place, connection: Db | Trx): Promise<Callable[]> {
      const { account } = place;
      const holder = (await isHolderAsked(place, connection)) ? [await deps.holderOf(account, connection)] : [];
      const people = [...holder, ...(await deps.activeGuardians(account, connection))].flatMap(
        ({ uuid, name, phone_number, phone_number_verified }) =>
          phone_number !== null && phone_number_verified ? [{ person: uuid, name: firstName(name), phone_number }] : [],
      );
      const optedOut = await deps.optedOutOf(
        people.map(({ phone_number }) => phone_number),
        connection,
      );
      return people.filter(({ phone_number }) => !optedOut.has(phone_number));
    },

    isAnswerable: async (place: Place, connection: Db | Trx): Promise<boolean> =>
      (await deps.activeGuardians(place.account, connection)).length > 0 || isHolderAsked(place, connection),

    async repliersWith(number: string): Promise<Replier[]> {
      const guardians = await deps.guardiansWith(number);
      const holders = await deps.holdersWith(number);
      return [
        ...guardians.map(({ uuid, account, name }) => ({ account, person: uuid, name: firstName(name) })),
        ...holders.map(({ uuid, name }) => ({ account: uuid, person: uuid, name: firstName(name) })),
      ];
    },

    /** Nobody answers about their own computer. */
    mayReply: async (place: Place, { account, person }: Replier, connection: Db | Trx): Promise<boolean> =>
      person !== account || isHolderAsked(place, connection),
  };
}
