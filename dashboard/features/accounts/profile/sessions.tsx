import { useConfirm } from '../../../ui/confirm-dialog.tsx';
import { SessionsCard } from '../../../ui/sessions-card.tsx';
import { messages } from './messages.ts';
import { useSessions } from './queries.ts';

export function Sessions() {
  const { sessions, end } = useSessions();
  const ask = useConfirm();
  return (
    <SessionsCard
      sessions={sessions}
      messages={messages.sessions}
      lead={messages.sessions.lead}
      onEnd={async ({ uuid, browser }) => {
        await ask(messages.sessions.ask(browser));
        await end(uuid);
      }}
    />
  );
}
