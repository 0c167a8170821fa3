import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { AskFirst } from './confirm-button.tsx';
import { isReached } from './is-reached.ts';
import { Texts } from './phone.tsx';
import { Sessions } from './sessions.tsx';
import { t } from './settings-messages.ts';
import { Switch } from './switch.tsx';
import { useOwnActions } from './use-guardian-page.ts';

/** How the guardian is told, and how they stop being one (6.6). */
export function Settings({ view }: { view: GuardianView }) {
  const { holder_name: holder, mail } = view;
  const actions = useOwnActions();
  return (
    <>
      <section className="card stack" aria-labelledby="reach">
        <h2 id="reach">{t.reach.heading}</h2>
        {!isReached(view) && (
          <p className="note look" role="status">
            {t.reach.nothing(holder)}
          </p>
        )}
        <Switch label={t.reach.mail} on={mail} onChange={actions && ((email) => actions.change({ email }))} />
        <hr />
        <Texts view={view} />
      </section>
      {actions && <Sessions holder={holder} actions={actions} />}
      <p className="soft small">{t.private(holder)}</p>
      {actions && <AskFirst label={t.leave.button} danger ask={t.leave.ask(holder)} act={actions.leave} />}
    </>
  );
}
