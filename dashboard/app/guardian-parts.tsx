import type { GuardianView } from '@porchlight/contract/guardians.ts';
import type { AnswerButtonProps } from '../features/emergency/answer-button-part.ts';
import { DoNow } from '../features/emergency/do-now.tsx';
import { AnswerButton } from '../features/incidents/answer-button.tsx';
import { guardianRequestCalls } from '../features/incidents/calls.ts';
import { optional } from '../ui/optional.tsx';

// Loaded on demand by the guardian's page, as one file: each further file would add its name to the first load.
export { GuardianIncidents } from '../features/incidents/guardian-incidents.tsx';

/** Most who open this part want something else. */
const HelpNow = optional(async () => (await import('../features/appointments/help-now.tsx')).HelpNow);

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
