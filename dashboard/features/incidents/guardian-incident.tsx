import type { GuardianView } from '@porchlight/contract/guardians.ts';
import type { Incident } from '@porchlight/contract/incidents.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { HttpError } from '../../lib/http.ts';
import { Loading } from '../../ui/loading.tsx';
import { guardianCalls } from './calls.ts';
import { IncidentView } from './incident-view.tsx';
import { messages } from './messages.ts';
import { PrintSheet } from './print-sheet.tsx';

const pollMs = 10_000;

interface GuardianIncidentProps {
  /** The guardian's id. */
  id: string;
  uuid: string;
  view: GuardianView;
  print: boolean;
}

/** An incident on the guardian's page (P9.3): the same as the holder's. */
export function GuardianIncident({ id, uuid, view, print }: GuardianIncidentProps) {
  const { incident, error, load, show } = useGuardianIncident(id, uuid);
  const back = (
    <a className="alone no-print" href={print ? `?incident=${uuid}` : window.location.pathname}>
      {messages.back}
    </a>
  );
  if (error instanceof HttpError && error.status === 404) {
    return (
      <>
        {back}
        <p className="note look">{messages.gone}</p>
      </>
    );
  }
  return (
    <Loading of={{ data: incident, error, refetch: load }} height={480}>
      {(data) =>
        print ? (
          <PrintSheet incident={data} holder={view.holder_name} back={back} />
        ) : (
          <>
            {back}
            <IncidentView
              incident={data}
              reader={{ kind: 'guardian', id, holder: view.holder_name }}
              calls={guardianCalls(id, uuid)}
              show={show}
              printLink={
                <a className="alone" href={`?incident=${uuid}&print=1`}>
                  {messages.print.link}
                </a>
              }
              alertLink={null}
            />
          </>
        )
      }
    </Loading>
  );
}

/** Polls; the page has no query library. */
function useGuardianIncident(id: string, uuid: string) {
  const [{ incident, error }, setState] = useState<{ incident: Incident | undefined; error: unknown }>({
    incident: undefined,
    error: null,
  });
  // A poll that began before a call must not bring the earlier state back.
  const version = useRef(0);
  const load = useCallback(async () => {
    const current = ++version.current;
    const fresh = () => current === version.current;
    try {
      const loaded = await guardianCalls(id, uuid).load();
      if (fresh()) setState({ incident: loaded, error: null });
    } catch (err) {
      const gone = err instanceof HttpError && err.status === 404;
      if (fresh()) setState((before) => (before.incident && !gone ? before : { incident: undefined, error: err }));
    }
  }, [id, uuid]);
  useEffect(() => {
    let timer: number | undefined;
    let closed = false;
    const open = async () => {
      await load();
      if (!closed) timer = window.setInterval(() => void load(), pollMs);
    };
    void open();
    return () => {
      closed = true;
      clearInterval(timer);
    };
  }, [load]);
  const show = async (changed?: Incident) => {
    if (!changed) return load();
    version.current++;
    setState({ incident: changed, error: null });
  };
  return { incident, error, load, show };
}
