import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { GuardianIncident } from './guardian-incident.tsx';
import { GuardianQuestions } from './guardian-questions.tsx';

interface GuardianIncidentsProps {
  /** The guardian's id. */
  id: string;
  view: GuardianView;
  /** What the link was about: `request`, `incident`, `print`. */
  link: URLSearchParams;
  reload: () => Promise<void>;
}

/** What a guardian's page has about incidents: the incident that the link is about, or else the questions. */
export function GuardianIncidents({ id, view, link, reload }: GuardianIncidentsProps) {
  const uuid = link.get('incident');
  if (uuid) return <GuardianIncident id={id} uuid={uuid} view={view} print={link.has('print')} />;
  return <GuardianQuestions id={id} view={view} wanted={link.get('request')} reload={reload} />;
}
