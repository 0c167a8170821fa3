import { type ReactNode, useRef } from 'react';
import { inWords } from '../lib/dates.ts';
import { useNow } from '../lib/use-now.ts';
import { QuietStatus, useForm } from './form.tsx';
import { Icon } from './icons.tsx';
import { type Loadable, Loading } from './loading.tsx';

interface Session {
  uuid: string;
  browser: string;
  last_used: string;
  /** True for the session of this browser, which has a tag instead of a button. */
  current: boolean;
}

interface SessionMessages {
  heading: string;
  lastUsed: (when: string) => string;
  here: string;
  end: string;
  endOf: (browser: string, when: string) => string;
  ended: (browser: string) => string;
}

interface SessionsCardProps {
  sessions: Loadable<Session[]>;
  messages: SessionMessages;
  lead: string;
  onEnd: (session: Session) => Promise<unknown>;
  /** Below the list. */
  children?: ReactNode;
}

/** Last used first. */
export function SessionsCard({ sessions, messages, lead, onEnd, children }: SessionsCardProps) {
  const form = useForm();
  const heading = useRef<HTMLHeadingElement>(null);
  const endSession = (session: Session) =>
    form.run(async () => {
      await onEnd(session);
      heading.current?.focus();
      return messages.ended(session.browser);
    });
  return (
    <section className="card stack" aria-labelledby="sessions">
      <h2 id="sessions" ref={heading} tabIndex={-1}>
        {messages.heading}
      </h2>
      <p className="soft">{lead}</p>
      <Loading of={sessions} height={96}>
        {(allSessions) => (
          <ul className="stack">
            {allSessions.map((session) => (
              <SessionRow key={session.uuid} session={session} messages={messages} onEnd={() => void endSession(session)} />
            ))}
          </ul>
        )}
      </Loading>
      <QuietStatus state={form} />
      {children}
    </section>
  );
}

function SessionRow({ session, messages, onEnd }: { session: Session; messages: SessionMessages; onEnd: () => void }) {
  const { browser, current, last_used } = session;
  const when = inWords(new Date(last_used), useNow());
  return (
    <li className="row between">
      <span>
        <strong>{browser}</strong>
        <br />
        <span className="soft">{messages.lastUsed(when)}</span>
      </span>
      {current ? (
        <span className="tag safe">
          <Icon name="tick" size={18} />
          {messages.here}
        </span>
      ) : (
        <button type="button" className="btn quiet" aria-label={messages.endOf(browser, when)} onClick={onEnd}>
          {messages.end}
        </button>
      )}
    </li>
  );
}
