import type { HandOver } from '@porchlight/contract/loopback.ts';
import { deepLink } from '../../../outside/local-agent.ts';
import { t } from '../texts.ts';
import { useHandOver } from './use-hand-over.ts';

const words = {
  looking: t.auto.looking,
  ask: t.auto.ask,
  absent: t.auto.absent,
  pin_needed: t.auto.pin,
  connected: `${t.auto.upgraded} ${t.auto.connected}`,
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
      {(state === 'looking' || state === 'absent' || state === 'pin_needed') && (
        <button type="button" className="btn quiet" disabled={locked > 0} onClick={start}>
          {locked > 0 ? t.auto.againIn(locked) : state === 'pin_needed' ? t.auto.openAgain : t.auto.again}
        </button>
      )}
    </section>
  );
}
