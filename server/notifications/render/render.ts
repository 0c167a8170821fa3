import { type FloodFacts, flood, type GroupedFacts, grouped, type WeakenedFacts, weakened } from './activity-notifications.ts';
import { alert } from './alert.ts';
import type { AlertNotice } from './alert-email.ts';
import { type CodeShownFacts, codeShown } from './code-shown.ts';
import { type DrillFacts, drill } from './drill.ts';
import {
  type GuardianStopFacts,
  guardianStop,
  type HelpFacts,
  help,
  type IsolatedFacts,
  type IsolationLostFacts,
  isolated,
  isolationLost,
} from './emergency.ts';
import { type HeldRequestFacts, heldRequest } from './held-request/held-request.ts';
import {
  type RequestAnsweredFacts,
  type RequestEndedFacts,
  type RequestLiftedFacts,
  type RequestPassedFacts,
  requestAnswered,
  requestEnded,
  requestLifted,
  requestPassed,
} from './held-request/outcomes.ts';
import { type CheckupFacts, type IncidentOverFacts, incidentCheckup, incidentOver } from './incident.ts';
import { type NobodyAnsweredFacts, nobodyAnswered } from './nobody-answered.ts';
import { outage, type SilentDevice } from './outage.ts';
import { type QuietAlertsFacts, quietAlerts } from './quiet-alert.ts';
import type { DeliveryRule, Guardian, Holder, Message, Rendering } from './rendering.ts';
import { type ScanNotice, scan } from './scan.ts';
import { type Outage, type OutageOver, outageOver, suddenOutage } from './sudden-outage.ts';
import { type UnreachableFacts, unreachable } from './unreachable.ts';
import { type UnreachedFacts, unreached } from './unreached.ts';
import { type WeeklyFacts, weekly } from './weekly.ts';

export interface Facts {
  alert: AlertNotice;
  quiet_alerts: QuietAlertsFacts;
  scan: ScanNotice;
  code_shown: CodeShownFacts;
  drill: DrillFacts;
  outage: SilentDevice;
  sudden_outage: Outage;
  outage_over: OutageOver;
  weakened: WeakenedFacts;
  flood: FloodFacts;
  grouped: GroupedFacts;
  unreachable: UnreachableFacts;
  unreached: UnreachedFacts;
  weekly: WeeklyFacts;
  held_request: HeldRequestFacts;
  request_answered: RequestAnsweredFacts;
  request_passed: RequestPassedFacts;
  request_lifted: RequestLiftedFacts;
  request_ended: RequestEndedFacts;
  incident_over: IncidentOverFacts;
  incident_checkup: CheckupFacts;
  guardian_stop: GuardianStopFacts;
  isolated: IsolatedFacts;
  isolation_lost: IsolationLostFacts;
  help: HelpFacts;
  nobody_answered: NobodyAnsweredFacts;
}

const renderings: { [K in keyof Facts]: Rendering<Facts[K]> } = {
  alert,
  quiet_alerts: quietAlerts,
  scan,
  code_shown: codeShown,
  drill,
  outage,
  sudden_outage: suddenOutage,
  outage_over: outageOver,
  weakened,
  flood,
  grouped,
  unreachable,
  unreached,
  weekly,
  held_request: heldRequest,
  request_answered: requestAnswered,
  request_passed: requestPassed,
  request_lifted: requestLifted,
  request_ended: requestEnded,
  incident_over: incidentOver,
  incident_checkup: incidentCheckup,
  guardian_stop: guardianStop,
  isolated,
  isolation_lost: isolationLost,
  help,
  nobody_answered: nobodyAnswered,
};

/** A notification as data: the facts for its texts. */
export type Notification = { [K in keyof Facts]: { kind: K; facts: Facts[K] } }[keyof Facts];

interface Rendered {
  delivery: DeliveryRule;
  toHolder(holder: Holder): Message;
  toGuardian(guardian: Guardian): Message;
}

export function render<K extends keyof Facts>({ kind, facts }: { kind: K; facts: Facts[K] }): Rendered {
  const rendering: Rendering<Facts[K]> = renderings[kind];
  return {
    delivery: rendering.delivery(facts),
    toHolder: (holder) => rendering.toHolder(facts, holder),
    toGuardian: (guardian) => rendering.toGuardian(facts, guardian),
  };
}
