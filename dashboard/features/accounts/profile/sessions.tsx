import type { Session } from '@porchlight/contract/accounts.ts';
import { useRef } from 'react';
import { inWords } from '../../../lib/dates.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useConfirm } from '../../../ui/confirm-dialog.tsx';
import { QuietStatus, useForm } from '../../../ui/form.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { SessionRow } from '../../../ui/session-row.tsx';
import { messages } from './messages.ts';
import { useSessions } from './queries.ts';

/** Where the holder is logged in, the last used first, and a way to end each of them but this one. */
export function Sessions() {
  const { sessions, end } = useSessions();
  const ask = useConfirm();
  const form = useForm();
  const heading = useRef<HTMLHeadingElement>(null);
  const onEnd = ({ uuid, browser }: Session) =>
    form.run(async () => {
      await ask(messages.sessions.ask(browser));
      await end(uuid);
      // Its button is gone, so the focus needs another place.
      heading.current?.focus();
      return messages.sessions.ended(browser);
    });
  return (
    <section className="card stack" aria-labelledby="sessions">
      <h2 id="sessions" ref={heading} tabIndex={-1}>
        {messages.sessions.heading}
      </h2>
      <p className="soft">{messages.sessions.lead}</p>
      <Loading of={sessions} height={96}>
        {(list) => (
          <ul className="stack">
            {list.map((session) => (
              <Row key={session.uuid} session={session} onEnd={() => void onEnd(session)} />
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
