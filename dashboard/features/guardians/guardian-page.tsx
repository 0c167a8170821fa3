import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../lib/call.ts';
import { HttpError } from '../../lib/http.ts';
import { Drawing } from '../../ui/drawings.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PlainFrame } from '../../ui/plain-frame.tsx';
import { GuardianOverview } from './guardian-overview.tsx';
import { t } from './guardian-texts.ts';

/** How often the open page asks again. */
const poll = 10_000;

/** The guardian's own dashboard (2.16): no login, the key of the link is exchanged for a cookie at once. */
export function GuardianPage({ id, linkKey }: { id: string; linkKey: string }) {
  const [view, setView] = useState<{ data: GuardianView | undefined; error: unknown }>({ data: undefined, error: null });
  const load = useCallback(async () => {
    try {
      setView({ data: await call('GET /guardian/:id', { params: { id } }), error: null });
    } catch (error) {
      // A connection that is lost for a moment takes nothing away that is on the screen.
      setView((before) => (before.data && !(error instanceof HttpError && error.status === 410) ? before : { data: undefined, error }));
    }
  }, [id]);
  useEffect(() => {
    let timer: number | undefined;
    const open = async () => {
      if (linkKey) await call('POST /guardian/:id/session', { params: { id }, body: { key: linkKey } }).catch(() => {});
      await load();
      timer = window.setInterval(() => void load(), poll);
    };
    void open();
    return () => clearInterval(timer);
  }, [id, linkKey, load]);

  const dead = view.error instanceof HttpError && (view.error.status === 410 || view.error.status === 404);
  return (
    <PlainFrame>
      {dead ? (
        <>
          <h1>{t.deadHeading}</h1>
          <p>{t.deadLead}</p>
        </>
      ) : (
        <Loading of={view} height={400}>
          {(data) =>
            data.state === 'active' ? (
              <GuardianOverview view={data} />
            ) : (
              <Invitation id={id} view={data} onAccepted={(accepted) => setView({ data: accepted, error: null })} />
            )
          }
        </Loading>
      )}
    </PlainFrame>
  );
}

function Invitation({ id, view, onAccepted }: { id: string; view: GuardianView; onAccepted: (view: GuardianView) => void }) {
  const form = useForm();
  const accept = () =>
    form.run(async () => {
      onAccepted(await call('POST /guardian/:id/accept', { params: { id } }));
      return undefined;
    });
  if (view.state === 'expired') {
    return (
      <>
        <h1>{t.expiredHeading}</h1>
        <p>{t.deadLead}</p>
      </>
    );
  }
  return (
    <>
      <Drawing of="together" />
      <h1>{t.pendingHeading(view.holder_name)}</h1>
      <p>{t.pendingLead(view.holder_name)}</p>
      <p className="soft">{t.pendingPrivate(view.holder_name)}</p>
      <Form state={form} onSubmit={() => void accept()}>
        <button type="submit" className="btn big" disabled={form.loading}>
          {t.accept}
        </button>
      </Form>
    </>
  );
}
