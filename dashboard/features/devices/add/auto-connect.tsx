import type { HandOver } from '@porchlight/contract/loopback.ts';
import { t } from '../texts.ts';
import { useHandOver } from './use-hand-over.ts';

/** Hands the link to the agent on this computer, where there is one and the browser lets us (4.7 to 4.11). */
export function AutoConnect({ link }: { link: HandOver }) {
  const { state, cooldown, start } = useHandOver(link);
  return (
    <section className="card stack" aria-live="polite">
      <h2 className="minor">{t.auto.heading}</h2>
      {state === 'looking' && <p>{t.auto.looking}</p>}
      {state === 'ask' && (
        <>
          <p>{t.auto.ask}</p>
          <button type="button" className="btn" onClick={start}>
            {t.auto.askButton}
          </button>
        </>
      )}
      {state === 'denied' && <p>{t.auto.denied}</p>}
      {state === 'connected' && (
        <p className="note good">
          <strong>{t.auto.upgraded}</strong> {t.auto.connected}
        </p>
      )}
      {state === 'absent' && <p>{t.auto.absent}</p>}
      {(state === 'absent' || state === 'connected') && (
        <button type="button" className="btn quiet" disabled={cooldown > 0} onClick={start}>
          {cooldown > 0 ? t.auto.againIn(cooldown) : t.auto.again}
        </button>
      )}
    </section>
  );
}
