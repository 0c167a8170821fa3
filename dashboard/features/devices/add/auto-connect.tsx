import type { HandOver } from '@porchlight/contract/loopback.ts';
import { deepLink } from '../../../integrations/local-agent.ts';
import { t } from '../messages.ts';
import { useHandOver } from './use-hand-over.ts';

const words = {
  looking: t.auto.looking,
  ask: t.auto.ask,
  absent: t.auto.absent,
  asked: t.auto.asked,
  pin_needed: t.auto.pin,
  unanswered: t.auto.unanswered,
  declined: t.auto.declined,
  connected: `${t.auto.upgraded} ${t.auto.connected}`,
} as const;

/** What starts the search again says what it brings. */
const again = {
  looking: t.auto.again,
  absent: t.auto.again,
  asked: t.auto.openAgain,
  pin_needed: t.auto.openAgain,
  unanswered: t.auto.lookAgain,
} as const;

/** Hands the link to the agent on this computer, where there is one and the browser lets us (4.7 to 4.11). */
export function AutoConnect({ link }: { link: HandOver }) {
  const { state, locked, start } = useHandOver(link);
  return (
    <section className="card stack">
      <h2 className="minor">{t.auto.heading}</h2>
      <div aria-live="polite">
        <p>{words[state]}</p>
        {state === 'pin_needed' && <p className="soft">{t.auto.pinWhere}</p>}
      </div>
      {state === 'looking' && <p className="soft">{t.auto.answer}</p>}
      {state === 'absent' && (
        <p>
          {t.auto.installed} <a href={deepLink(link)}>{t.auto.open}</a>
        </p>
      )}
      {state === 'ask' && (
        <button type="button" className="btn" onClick={start}>
          {t.auto.askButton}
        </button>
      )}
      {state !== 'ask' && state !== 'connected' && state !== 'declined' && (
        <button type="button" className="btn quiet" disabled={locked > 0} onClick={start}>
          {locked > 0 ? t.auto.againIn(locked) : again[state]}
        </button>
      )}
    </section>
  );
}
