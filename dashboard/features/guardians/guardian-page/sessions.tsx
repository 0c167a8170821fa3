import type { Session } from '@porchlight/contract/accounts.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { SessionsCard } from '../../../ui/sessions-card.tsx';
import { messages } from './settings-messages.ts';
import type { PageActions } from './use-guardian-page.ts';

export function Sessions({ holder, actions: { sessions, endSession } }: { holder: string; actions: PageActions }) {
  const [sessionList, setSessionList] = useState<{ data: Session[] | undefined; error: unknown }>({ data: undefined, error: null });
  const ask = useRef(sessions);
  const load = useCallback(async () => {
    try {
      setSessionList({ data: await ask.current(), error: null });
    } catch (error) {
      setSessionList((previousList) => ({ ...previousList, error }));
    }
  }, []);
  useEffect(() => void load(), [load]);
  return (
    <SessionsCard
      sessions={{ ...sessionList, refetch: load }}
      messages={messages.sessions}
      lead={messages.sessions.lead(holder)}
      onEnd={async ({ uuid }) => {
        await endSession(uuid);
        await load();
      }}
    />
  );
}
