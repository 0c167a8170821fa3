import { type FloodFacts, flood, type GroupedFacts, grouped, type WeakenedFacts, weakened } from './activity-notifications.ts';
import { type AlertNotice, alert } from './alert.ts';
import { type DrillFacts, drill } from './drill.ts';
import { outage, type SilentDevice } from './outage.ts';
import type { DeliveryRule, Guardian, Holder, Message, Rendering } from './rendering.ts';
import { type ScanNotice, scan } from './scan.ts';
import { type Outage, type OutageOver, outageOver, suddenOutage } from './sudden-outage.ts';
import { type UnreachedFacts, unreached } from './unreached.ts';
import { type WeeklyFacts, weekly } from './weekly.ts';

interface Facts {
  alert: AlertNotice;
  scan: ScanNotice;
  drill: DrillFacts;
  outage: SilentDevice;
  sudden_outage: Outage;
  outage_over: OutageOver;
  weakened: WeakenedFacts;
  flood: FloodFacts;
  grouped: GroupedFacts;
  unreached: UnreachedFacts;
  weekly: WeeklyFacts;
}

const renderings: { [K in keyof Facts]: Rendering<Facts[K]> } = {
  alert,
  scan,
  drill,
  outage,
  sudden_outage: suddenOutage,
  outage_over: outageOver,
  weakened,
  flood,
  grouped,
  unreached,
  weekly,
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
