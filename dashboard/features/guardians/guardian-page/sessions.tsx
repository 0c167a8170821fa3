import type { Session } from '@porchlight/contract/accounts.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { inWords } from '../../../lib/dates.ts';
import { useNow } from '../../../lib/use-now.ts';
import { QuietStatus, useForm } from '../../../ui/form.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { SessionRow } from '../../../ui/session-row.tsx';
import { messages } from './settings-messages.ts';
import type { PageActions } from './use-guardian-page.ts';

/** The browsers in which this page is open, the last used first, and a way to close it in each of them but this one. */
export function Sessions({ holder, actions: { sessions, endSession } }: { holder: string; actions: PageActions }) {
  const [list, setList] = useState<{ data: Session[] | undefined; error: unknown }>({ data: undefined, error: null });
  const form = useForm();
  const heading = useRef<HTMLHeadingElement>(null);
  // The actions are made again each time the page is shown; what they do stays the same.
  const ask = useRef(sessions);
  const load = useCallback(async () => {
    try {
      setList({ data: await ask.current(), error: null });
    } catch (error) {
      setList((before) => ({ ...before, error }));
    }
  }, []);
  useEffect(() => void load(), [load]);
  const end = ({ uuid, browser }: Session) =>
    form.run(async () => {
      await endSession(uuid);
      await load();
      // Its button is gone, so the focus needs another place.
      heading.current?.focus();
      return messages.sessions.ended(browser);
    });
  return (
    <section className="card stack" aria-labelledby="sessions">
      <h2 id="sessions" ref={heading} tabIndex={-1}>
        {messages.sessions.heading}
      </h2>
      <p className="soft">{messages.sessions.lead(holder)}</p>
      <Loading of={{ ...list, refetch: load }} height={96}>
        {(all) => (
          <ul className="stack plain">
            {all.map((session) => (
              <Row key={session.uuid} session={session} onEnd={() => void end(session)} />
            ))}
          </ul>
        )}
      </Loading>
      <QuietStatus state={form} />
    </section>
  );
}

function Row({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { browser, current } = session;
  const when = inWords(new Date(session.last_used), useNow());
  const { lastUsed, here, end, endOf } = messages.sessions;
  return <SessionRow {...{ browser, current, here, end, onEnd }} lastUsed={lastUsed(when)} endLabel={endOf(browser, when)} />;
}
