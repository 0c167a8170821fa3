import { useRef } from 'react';
import { inWords } from '../lib/dates.ts';
import { useNow } from '../lib/use-now.ts';
import { QuietStatus, useForm } from './form.tsx';
import { Icon } from './icons.tsx';
import { type Loadable, Loading } from './loading.tsx';

interface Session {
  uuid: string;
  browser: string;
  last_used: string;
  /** The session of this browser: it has a tag in the place of a button. */
  current: boolean;
}

interface SessionMessages {
  heading: string;
  lastUsed: (when: string) => string;
  here: string;
  end: string;
  /** The accessible name of the button, which says whose session it ends. */
  endOf: (browser: string, when: string) => string;
  ended: (browser: string) => string;
}

interface SessionsCardProps {
  sessions: Loadable<Session[]>;
  messages: SessionMessages;
  lead: string;
  /** Ends a session, and resolves once the list is loaded again. */
  onEnd: (session: Session) => Promise<unknown>;
}

/** The browsers in which an account or a page is open, the last used first, and a way to end each session but this one. */
export function SessionsCard({ sessions, messages, lead, onEnd }: SessionsCardProps) {
  const form = useForm();
  const heading = useRef<HTMLHeadingElement>(null);
  const end = (session: Session) =>
    form.run(async () => {
      await onEnd(session);
      // The pressed button is gone, so the focus needs another place.
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
        {(all) => (
          <ul className="stack">
            {all.map((session) => (
              <SessionRow key={session.uuid} session={session} messages={messages} onEnd={() => void end(session)} />
            ))}
          </ul>
        )}
      </Loading>
      <QuietStatus state={form} />
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
