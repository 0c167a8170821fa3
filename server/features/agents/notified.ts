import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { Told } from '@porchlight/contract/alerts.ts';
import type { ToldOf } from '@porchlight/contract/told.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { firstName } from '../../lib/formatting.ts';
import type { DeliveryLookup } from '../../ports.ts';

export interface RecipientsDeps {
  clock: Clock;
  /** The detections among these that were received after `since`, each with its alert. */
  alertsOf(device: string, detections: string[], since: Date): Promise<{ uuid: string; account: string; alert: string }[]>;
  /** The first name of the holder of a device that another person uses; null where the holder uses it. */
  holderIfOther(device: string): Promise<string | null>;
  deliveriesOf: DeliveryLookup;
}

/** Answers who was notified of detections. Nearly every device asks for none, and then nothing is read. */
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

/** A person who got the SMS was notified, whatever became of the email. `holder`: null where the holder uses the computer. */
function byPerson(told: Told[], holder: string | null): ToldOf['people'] {
  return [...Map.groupBy(told, ({ guardian }) => guardian)].map(([guardian, ways]) => ({
    name: guardian === null ? holder : firstName(ways[0]?.name ?? ''),
    state: best.find((state) => ways.some((way) => way.state === state)) ?? 'failed',
  }));
}
