import type { IncidentOpener } from '@porchlight/contract/incident-events.ts';
import type { Certainty, DetectionCategory } from '@porchlight/contract/shapes.ts';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Null when an insert leaves it out. */
type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** `consent`: asks the user of a computer whether we may call them after a stop. */
export type CallPurpose = 'guardian' | 'person' | 'consent';

/**
 * - `queued`: not accepted by the telephone service. - `ringing`: accepted. - `answered`: somebody picked up. - `machine`: voicemail did.
 * The others are final. - `completed`: after `answered`. - `failed`: it could not be made.
 */
export type CallState = 'queued' | 'ringing' | 'answered' | 'machine' | 'completed' | 'busy' | 'no_answer' | 'failed';

export interface ReachTables {
  /**
   * Each opening of an incident escalates at most once, and again for a call for help (P11.1). `opener`, `what`: why, and the program's name.
   * `stopped`: when it was answered or at its end.
   */
  escalations: {
    incident: string;
    number: number;
    opener: IncidentOpener;
    what: Nullable<string>;
    begun: Date;
    stopped: Nullable<Date>;
    answered: Generated<boolean>;
  };
  /** The steps that were taken, each once. `step`: a key of `features/escalation/plan.ts`. `person`, `name`, `call`: only of a call. */
  escalation_steps: {
    incident: string;
    number: number;
    step: string;
    /** In the order in which they were taken, also within one moment. */
    sequence: GeneratedAlways<number>;
    person: Nullable<string>;
    call: Nullable<string>;
    name: Nullable<string>;
    time: Date;
  };
  /** `guardian`: null for the user of the computer. `name`: whom the call is for. `phone_number`: E.164. `pressed`: the key, such as `1`. */
  calls: {
    uuid: string;
    account: string;
    purpose: CallPurpose;
    incident: Nullable<string>;
    device: Nullable<string>;
    guardian: Nullable<string>;
    name: string;
    phone_number: string;
    created: Date;
    state: Generated<CallState>;
    pressed: Nullable<string>;
    updated: Date;
  };
  /** The consent for the newest number for which a call was asked. `agreed`, `refused`: the newest answer; the other is null. */
  call_consents: { device: string; phone_number: string; asked: Date; agreed: Nullable<Date>; refused: Nullable<Date> };
  /**
   * `person`: the guardian, or the account for its holder; `guardian`: null for the holder. One browser may belong to several people.
   * `session`: of the browser that subscribed last. `service`: one of the known push services. The sealed subscription is JSON of
   * `pushSubscription`.
   */
  push_subscriptions: {
    person: string;
    endpoint_hash: Buffer;
    account: string;
    guardian: Nullable<string>;
    session: string;
    service: string;
    sealed_subscription: string;
    created: Date;
  };

  /** Deleted with the device. `person`: the id of the account or guardian. `name`: of the holder or guardian, at that time. */
  alert_answers: { account: string; device: string; alert: string; person: string; answer: 'mine' | 'sorted'; name: string; time: Date };
  /** Alerts that the holder reported as wrong. The match itself is in `wrong_matches`, without the account. */
  wrong_alerts: { account: string; device: string; alert: string; time: Date };
  /** For the operator. `file`: without its folder; empty for a site. `evidence`: empty where an agent knows none. Days: in UTC, `2026-11-22`. */
  wrong_matches: {
    identifier: string;
    name: string;
    category: DetectionCategory;
    certainty: Certainty;
    file: string;
    evidence: string;
    count: number;
    first_day: string;
    last_day: string;
  };
}
