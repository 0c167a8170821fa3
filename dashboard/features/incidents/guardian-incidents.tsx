import type { GuardianView } from '@porchlight/contract/guardians.ts';
import type { ReactNode } from 'react';
import { GuardianIncident } from './guardian-incident.tsx';
import { GuardianQuestions } from './guardian-questions.tsx';

interface GuardianIncidentsProps {
  /** The guardian's id. */
  id: string;
  view: GuardianView;
  /** What the link was about: `request`, `incident`, `print`, `stop`. */
  link: URLSearchParams;
  /** What the guardian can do at once, on the page of an incident. */
  emergency: ReactNode;
  reload: () => Promise<void>;
}

/** What a guardian's page has about incidents: the incident that the link is about, or else the questions. */
export function GuardianIncidents({ id, view, link, emergency, reload }: GuardianIncidentsProps) {
  const uuid = link.get('incident');
  if (uuid) {
    const asked = link.has('stop');
    return <GuardianIncident id={id} uuid={uuid} view={view} print={link.has('print')} emergency={emergency} emergencyAsked={asked} />;
  }
  return <GuardianQuestions id={id} view={view} wanted={link.get('request')} reload={reload} />;
}
