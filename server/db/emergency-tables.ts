import type { CodePurpose } from '@porchlight/contract/one-time-codes.ts';
import type { ColumnType, Generated } from 'kysely';

/** Null when an insert leaves it out. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface EmergencyTables {
  /**
   * `device`: null for all devices of the account. `person`: the guardian or the account; null for somebody at the computer. `name`: of the
   * person, or the device. `ended`: when somebody ended it before `until`.
   */
  emergency_stops: {
    uuid: string;
    account: string;
    device: Nullable<string>;
    kind: 'guardian_stop' | 'help';
    person: Nullable<string>;
    name: string;
    time: Date;
    until: Date;
    ended: Nullable<Date>;
  };
  /**
   * `may_end`: whether the user of the computer can end it. `in_force`, `put_back`: as the agent reported last. `lost`: when it first reported
   * that the internet was not cut.
   */
  network_isolations: {
    uuid: string;
    account: string;
    device: string;
    person: string;
    name: string;
    time: Date;
    until: Date;
    may_end: boolean;
    ended: Nullable<Date>;
    in_force: Generated<boolean>;
    put_back: Generated<number>;
    lost: Nullable<Date>;
  };
  /**
   * `person`: the guardian or the account, with the first name. `ended`: before `until`. `ended_by`: a first name, the device's name for somebody
   * there, or empty for what opened an incident.
   */
  appointments: {
    uuid: string;
    account: string;
    device: string;
    identifier: string;
    program: string;
    person: string;
    name: string;
    time: Date;
    until: Date;
    money_pages: boolean;
    ended: Nullable<Date>;
    ended_by: Nullable<string>;
  };
  code_secrets: { device: string; id: string; sealed_secret: string };
  /** The codes that were shown. `time_window`, `number`: see contract/one-time-codes.ts. `program`: an identifier, or empty. */
  one_time_codes: {
    device: string;
    purpose: CodePurpose;
    program: string;
    time_window: number;
    number: number;
    guardian: string;
    time: Date;
  };
}
