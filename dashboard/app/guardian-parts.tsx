import type { GuardianView } from '@porchlight/contract/guardians.ts';
import type { ComponentProps } from 'react';
import { HelpNow } from '../features/appointments/help-now.tsx';
import { Helping } from '../features/appointments/helping.tsx';
import type { AnswerButtonProps } from '../features/emergency/answer-button-part.ts';
import { DoNow } from '../features/emergency/do-now.tsx';
import { AnswerButton } from '../features/incidents/answer-button.tsx';
import { guardianRequestCalls } from '../features/incidents/calls.ts';
import { GuardianIncidents as Incidents } from '../features/incidents/guardian-incidents.tsx';

// Loaded on demand by the guardian's page, as one file: each further file would add its name to the first load.
export function GuardianIncidents(props: ComponentProps<typeof Incidents>) {
  return (
    <>
      <Helping guardian={props.id} />
      <Incidents {...props} />
    </>
  );
}

interface GuardianDoNowProps {
  /** The guardian's id. */
  id: string;
  view: GuardianView;
  link: URLSearchParams;
  reload: () => Promise<void>;
}

/** What a guardian can do at once. */
export function GuardianDoNow({ id, view, link, reload }: GuardianDoNowProps) {
  return (
    <div className="stack">
      <DoNow id={id} view={view} stopAsked={link.has('stop')} Button={GuardianAnswerButton} reload={reload} />
      <HelpNow guardian={id} Button={GuardianAnswerButton} />
    </div>
  );
}

function GuardianAnswerButton({ id, ...props }: AnswerButtonProps) {
  return <AnswerButton proof={guardianRequestCalls(id)} {...props} />;
}
