import type { StoredOutage } from '@porchlight/contract/device-health.ts';
import type { ColumnType, Generated } from 'kysely';

/** Null when an insert leaves it out. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface DeviceHealthTables {
  /**
   * `notified_at`: once per outage. `early`: notified within minutes; then the end of the outage is notified too, even if another outage
   * has begun. `early_since`: the begin that the notification named.
   */
  device_outages: {
    device: string;
    kind: StoredOutage;
    since: Date;
    until: Nullable<Date>;
    notified_at: Nullable<Date>;
    early: Generated<boolean>;
    early_since: Nullable<Date>;
  };
  /**
   * Devices expected to be online. `due`: the next check, postponed whenever the device calls. `says_sleep`: the agent announces sleep.
   * `widespread`: the last check at which too many devices were silent.
   */
  device_watch: { device: string; due: Date; says_sleep: boolean; widespread: Nullable<Date> };
  /**
   * One row about the check of each minute. `since`: the start of checks without a gap. `deaf`: too many devices were silent. `refused`:
   * when agents were last refused because of load.
   */
  listening: { one: Generated<boolean>; checked: Date; since: Date; deaf: boolean; refused: Nullable<Date> };
  /** Times in which a device was unreachable without announcing it, while its agent was running. */
  offline_spells: { device: string; ended: Date };
}
