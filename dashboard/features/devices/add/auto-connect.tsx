import type { HandOver } from '@porchlight/contract/loopback.ts';
import { deepLink } from '../../../integrations/local-agent.ts';
import { messages } from '../messages.ts';
import { useHandOver } from './use-hand-over.ts';

const texts = {
  looking: messages.auto.looking,
  ask: messages.auto.ask,
  absent: messages.auto.absent,
  asked: messages.auto.asked,
  pin_needed: messages.auto.pin,
  unanswered: messages.auto.unanswered,
  declined: messages.auto.declined,
  connected: `${messages.auto.upgraded} ${messages.auto.connected}`,
} as const;

/** The button that repeats the search names its purpose. */
const retryLabels = {
  looking: messages.auto.again,
  absent: messages.auto.again,
  asked: messages.auto.openAgain,
  pin_needed: messages.auto.openAgain,
  unanswered: messages.auto.lookAgain,
} as const;

/** Hands the link to the agent on this computer, if there is one and the browser allows it (4.7 to 4.11). */
export function AutoConnect({ link }: { link: HandOver }) {
  const { state, locked, start } = useHandOver(link);
  return (
    <section className="card stack">
      <h2 className="minor">{messages.auto.heading}</h2>
      <div aria-live="polite">
        <p>{texts[state]}</p>
        {state === 'pin_needed' && <p className="soft">{messages.auto.pinWhere}</p>}
      </div>
      {state === 'looking' && <p className="soft">{messages.auto.answer}</p>}
      {state === 'absent' && (
        <p>
          {messages.auto.installed} <a href={deepLink(link)}>{messages.auto.open}</a>
        </p>
      )}
      {state === 'ask' && (
        <button type="button" className="btn" onClick={start}>
          {messages.auto.askButton}
        </button>
      )}
      {state !== 'ask' && state !== 'connected' && state !== 'declined' && (
        <button type="button" className="btn quiet" disabled={locked > 0} onClick={start}>
          {locked > 0 ? messages.auto.againIn(locked) : retryLabels[state]}
        </button>
      )}
    </section>
  );
}
