import type { Person } from '@porchlight/contract/devices.ts';
import { type AtComputer, atComputer, someoneElse } from '../../texts/at-computer.ts';
import { type Email, stopLink } from '../../texts/email.ts';
import type { Guardian, Holder } from './rendering.ts';

interface AboutIncident {
  incident: string;
  /** The device's name, and its user. */
  device: string;
  person: Person | null;
}

/** How a message about an incident addresses its reader. */
export interface IncidentReader {
  /** Whom the reader can call; null for the holder, at their own computer. */
  user: AtComputer | null;
  url: string;
  /** For a guardian. */
  quiet?: Email['quiet'];
}

export const holderReads = ({ incident, person, device }: AboutIncident, { dashboard_url }: Holder): IncidentReader => ({
  user: someoneElse(person, device),
  url: `${dashboard_url}/incident/${incident}`,
});
export const guardianReads = ({ incident, person, device }: AboutIncident, { holder_name, link }: Guardian): IncidentReader => ({
  user: atComputer(person, device, holder_name),
  url: `${link}?incident=${incident}`,
  quiet: stopLink(link),
});
