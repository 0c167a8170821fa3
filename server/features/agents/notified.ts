import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { Told } from '@porchlight/contract/alerts.ts';
import type { ToldOf } from '@porchlight/contract/told.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { firstName } from '../../lib/formatting.ts';
import type { DeliveryLookup } from '../../ports.ts';

export interface RecipientsDeps {
  clock: Clock;
  /** Of these detections of a device, those that came in after `since`, each with the alert that people were told of. */
  alertsOf(device: string, detections: string[], since: Date): Promise<{ uuid: string; account: string; alert: string }[]>;
  /** First name of the holder of a device that somebody else uses; null where it is taken for the holder's own. */
  holderIfOther(device: string): Promise<string | null>;
  deliveriesOf: DeliveryLookup;
}

/** Who was told of detections of a device. Where a device asks for none, as nearly always, nothing is read. */
export function recipientsOf({ clock, alertsOf, holderIfOther, deliveriesOf }: RecipientsDeps) {
  return async (device: string, detections: string[]): Promise<ToldOf[]> => {
    if (!detections.length) return [];
    const stored = await alertsOf(device, detections, after(clock.now(), -agentLimits.told_age));
    const [first] = stored;
    if (!first) return [];
    const alerts = stored.map(({ alert }) => alert);
    const told = await deliveriesOf(first.account, 'alert', alerts);
    const holder = await holderIfOther(device);
    return stored.map(({ uuid, alert }) => ({ detection: uuid, people: byPerson(told.get(alert) ?? [], holder) }));
  };
}

const best = ['sent', 'waiting', 'failed'] as const;

/** Whoever got the text was told, whatever became of the email. `holder`: null for who sits there. */
function byPerson(told: Told[], holder: string | null): ToldOf['people'] {
  return [...Map.groupBy(told, ({ guardian }) => guardian)].map(([guardian, ways]) => ({
    name: guardian === null ? holder : firstName(ways[0]?.name ?? ''),
    state: best.find((state) => ways.some((way) => way.state === state)) ?? 'failed',
  }));
}
