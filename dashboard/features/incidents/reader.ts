import type { NotificationDelivery } from '@porchlight/contract/alerts.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { IncidentDelivery } from '@porchlight/contract/incidents.ts';
import { type PersonAt, personAt } from '../../lib/person-messages.ts';

/** Who reads the page of an incident. `holder`: the holder's first name. */
export type Reader = { kind: 'holder' } | { kind: 'guardian'; holder: string };

/** The user of the incident's device as this reader calls them (P8.2). */
export function userFor(reader: Reader, device: { name: string; person: Person | null }): PersonAt {
  return personAt(device, reader.kind === 'guardian' ? reader.holder : undefined);
}

const bestFirst: NotificationDelivery['state'][] = ['sent', 'waiting', 'failed'];

/** The best delivery of each person and channel, with `guardian: null` for the reader and nobody else, as `deliveryMessage` expects. */
export function deliveriesByPerson(deliveries: IncidentDelivery[]): NotificationDelivery[] {
  const byPerson = new Map<string, NotificationDelivery>();
  const inOrder = deliveries.toSorted((a, b) => bestFirst.indexOf(a.state) - bestFirst.indexOf(b.state));
  for (const { you, recipient, ...delivery } of inOrder) {
    const guardian = you ? null : (delivery.guardian ?? recipient);
    const key = `${guardian}:${delivery.channel}`;
    if (!byPerson.has(key)) byPerson.set(key, { ...delivery, guardian, name: recipient });
  }
  return [...byPerson.values()];
}
