import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { NotificationDelivery } from '@porchlight/contract/alerts.ts';
import type { DetectionDeliveries } from '@porchlight/contract/detection-deliveries.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { DeliveryLookup } from '../../ports.ts';
import { firstName } from '../../texts/formatting.ts';

export interface RecipientsDeps {
  clock: Clock;
  /** The alerts of the detections received after `since`. */
  alertsOf(device: string, detections: string[], since: Date): Promise<{ uuid: string; account: string; alert: string }[]>;
  /** The holder's first name if another person uses the device, else null. */
  holderIfOther(device: string): Promise<string | null>;
  deliveriesOf: DeliveryLookup;
}

/** The people notified of the requested detections. Most check-ins request none and cause no query. */
export function recipientsOf({ clock, alertsOf, holderIfOther, deliveriesOf }: RecipientsDeps) {
  return async (device: string, detections: string[]): Promise<DetectionDeliveries[]> => {
    if (!detections.length) return [];
    const stored = await alertsOf(device, detections, after(clock.now(), -agentLimits.delivery_age_max));
    const [firstAlert] = stored;
    if (!firstAlert) return [];
    const alerts = stored.map(({ alert }) => alert);
    const deliveries = await deliveriesOf(firstAlert.account, 'alert', alerts);
    const holder = await holderIfOther(device);
    return stored.map(({ uuid, alert }) => ({ detection: uuid, people: byPerson(deliveries.get(alert) ?? [], holder) }));
  };
}

const statesByPriority = ['sent', 'waiting', 'failed'] as const;

/** Each person's best state among all channels. `holder`: null where the holder uses the computer. */
function byPerson(deliveries: NotificationDelivery[], holder: string | null): DetectionDeliveries['people'] {
  return [...Map.groupBy(deliveries, ({ guardian }) => guardian)].map(([guardian, personDeliveries]) => ({
    name: guardian === null ? holder : firstName(personDeliveries[0]?.name ?? ''),
    state: statesByPriority.find((state) => personDeliveries.some((way) => way.state === state)) ?? 'failed',
  }));
}
