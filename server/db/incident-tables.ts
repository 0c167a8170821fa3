import type { ActivityKind } from '@porchlight/contract/activity-log.ts';
import type { ErrorCode } from '@porchlight/contract/errors.ts';
import type { RequestCause, RequestedActivity } from '@porchlight/contract/held-requests.ts';
import type { IncidentOpener } from '@porchlight/contract/incident-events.ts';
import type { IncidentStep } from '@porchlight/contract/incidents.ts';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** Null when an insert leaves it out. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** One activity of a held request: names are stored, since device or guardian may be deleted later. */
interface StoredActivity extends RequestedActivity {
  /** The uuid of the guardian whom the call removes. */
  guardian?: string;
  /** The definition of the program that a yes allows for an hour, or the start that waits. */
  identifier?: string;
  /** Its allow-list entry, which waits, has no end. */
  lasting?: boolean;
}

/** One activity of a held request that passed, and the id of its activity-log entry, which says how to take it back. */
export interface DoneActivity {
  kind: ActivityKind;
  entry: string;
}

export interface IncidentTables {
  /** `last_opener`: an incident ends a day after it. `over`: when a person ended it; null while it is open, or if it ended by itself. */
  incidents: {
    uuid: string;
    account: string;
    device: string;
    device_name: string;
    opened: Date;
    opener: IncidentOpener;
    /** The program's name, for the words. */
    what: Nullable<string>;
    last_opener: Date;
    over: Nullable<Date>;
    /** When people were asked how it went. */
    asked_how: Nullable<Date>;
    /** Whether the account had a plan when it opened, which its devices then keep until it is over (P10.1). */
    had_plan: Generated<boolean>;
  };
  /** What people answered, and openings. `person`: the account's or the guardian's id. `what`: an opener, the answer to *How did it go?*, `from_account` of an *I’m on it* that is not the family's (P18.2), or, a line each, what *It’s over* took off the allow lists (P15.4). */
  incident_events: {
    incident: string;
    time: Date;
    kind:
      | ('opened' | 'reopened' | 'on_it' | 'mine' | 'over' | 'over_asked' | 'how' | 'code_shown')
      | ('stop' | 'isolated' | 'isolation_lost' | 'isolation_back' | 'reconnected');
    person: Nullable<string>;
    name: Nullable<string>;
    what: Nullable<string>;
  };
  /** `from_account`: by the holder about an own computer (P18.2). */
  incident_steps: { incident: string; step: IncidentStep; person: string; name: string; time: Date; from_account: Generated<boolean> };
  /**
   * `call_mac`: a keyed hash of the call and its content. `rule`: after how long the same call passes without an answer.
   * `done`: when it passed; `done_activities`: what it did. `lifted`: when the operator let it through. `sealed_call`: the call, which the server makes
   * after the yes, while it may be answered; null for a call that only its caller can make. `failed`: when that call was refused; `failure`: the code
   * of the error.
   */
  held_requests: {
    uuid: string;
    account: string;
    incident: Nullable<string>;
    device: Nullable<string>;
    device_name: Nullable<string>;
    call_mac: Buffer;
    activities: JSONColumnType<StoredActivity[]>;
    time: Date;
    rule: 'hour' | 'day';
    cause: RequestCause;
    done: Nullable<Date>;
    done_activities: ColumnType<DoneActivity[] | null, string | null | undefined, string | null>;
    undone: Nullable<Date>;
    lifted: Nullable<Date>;
    sealed_call: Nullable<string>;
    failed: Nullable<Date>;
    failure: Nullable<ErrorCode>;
  };
  /** What guardians answered about starts that waited, or about money sites, for the device's policy (P12.3, P12.4, P12.6). */
  start_answers: { device: string; identifier: string; answer: 'yes' | 'no'; until: Date };
  request_answers: { request: string; person: string; answer: 'yes' | 'no'; name: string; time: Date };
  /** `first_connected`: when the first device of the account was installed. `guardian_gone`: when the last active guardian left or was removed. */
  hold_settings: { account: string; ask_first: Generated<boolean>; first_connected: Nullable<Date>; guardian_gone: Nullable<Date> };
  /** The networks (IPv4 address or IPv6 /64, as keyed hashes) from which a device called within a day (P10.2). */
  device_networks: { device: string; network_hash: Buffer; seen: Date };
  /** Codes texted to people who answer from a computer of the account (P10.2). `person`: the account's or the guardian's id. */
  answer_codes: { person: string; phone_number: string; code_hash: Buffer; expires: Date; tries: Generated<number> };
}
