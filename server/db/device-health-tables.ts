import type { Silence } from '@porchlight/contract/care.ts';
import type { ColumnType, Generated } from 'kysely';

/** Filled in by the database when left out. */
type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** The tables of `tables.ts` about the health of devices. */
export interface DeviceHealthTables {
  /** Why a device is silent or does not protect. `notified_at`: when people were notified of it, once. `early`: within minutes, and they hear when it is back, also where another silence has begun meanwhile; `early_since`: what they were told. */
  device_outages: {
    device: string;
    kind: Silence['kind'];
    since: Date;
    until: Maybe<Date>;
    notified_at: Maybe<Date>;
    early: Generated<boolean>;
    early_since: Maybe<Date>;
  };
  /** Devices that are awake and to be heard. `due`: no look before then has anything to ask; pushed ahead while the device is heard. `says_sleep`: its agent says goodbye to sleep. `held`: at the last look at which it was silent together with too many others. */
  device_watch: { device: string; due: Date; says_sleep: boolean; held: Maybe<Date> };
  /** One row. `since`: the look of each minute has come without a gap, and the devices could be heard. `deaf`: at the last look too many were silent at once. `refused`: when calls of agents were refused last, because more came than can be answered. */
  listening: { one: Generated<boolean>; looked: Date; since: Date; deaf: boolean; refused: Maybe<Date> };
  /** A device could not reach us, without a goodbye, and its agent ran on all the time. */
  offline_spells: { device: string; ended: Date };
}
