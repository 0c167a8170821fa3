import type { NotificationDelivery } from '@porchlight/contract/alerts.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { type PersonAt, personAt } from '../../lib/person-messages.ts';

/** Who reads the page of an incident. `holder`: the holder's first name; `id`: the guardian's id. */
export type Reader = { kind: 'holder' } | { kind: 'guardian'; id: string; holder: string };

/** The user of the incident's device as this reader calls them (P8.2). */
export function userFor(reader: Reader, device: { name: string; person: Person | null }): PersonAt {
  return personAt(device, reader.kind === 'guardian' ? reader.holder : undefined);
}

/** The deliveries with `guardian: null` for the reader, as `deliveryMessage` expects; on the wire null is the holder. */
export function deliveriesFor(reader: Reader, deliveries: NotificationDelivery[]): NotificationDelivery[] {
  if (reader.kind === 'holder') return deliveries;
  return deliveries.map((delivery) => {
    if (delivery.guardian === reader.id) return { ...delivery, guardian: null };
    return delivery.guardian === null ? { ...delivery, guardian: 'holder', name: reader.holder } : delivery;
  });
}
