import type { GuardianView } from '@porchlight/contract/guardians.ts';
import type { ReactNode } from 'react';
import { HttpError } from '../../lib/http.ts';
import { usePolled } from '../../lib/use-polled.ts';
import { Loading } from '../../ui/loading.tsx';
import { guardianCalls } from './calls.ts';
import { IncidentView } from './incident-view.tsx';
import { messages } from './messages.ts';
import { PrintSheet } from './print-sheet.tsx';
import { sheetMessages } from './sheet-messages.ts';

const pollMs = 10_000;

interface GuardianIncidentProps {
  /** The guardian's id. */
  id: string;
  uuid: string;
  view: GuardianView;
  print: boolean;
  /** What the guardian can do at once. */
  emergency: ReactNode;
  /** The link was about that, so that it is shown also once the incident is over. */
  emergencyAsked: boolean;
}

/** An incident on the guardian's page (P9.3): the same as the holder's. */
export function GuardianIncident({ id, uuid, view, print, emergency, emergencyAsked }: GuardianIncidentProps) {
  const incident = usePolled(guardianCalls(id, uuid).load, pollMs);
  const { error, show } = incident;
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
    <Loading of={incident} height={480}>
      {(data) =>
        print ? (
          <PrintSheet incident={data} holder={view.holder_name} back={back} />
        ) : (
          <>
            {back}
            <IncidentView
              incident={data}
              reader={{ kind: 'guardian', holder: view.holder_name }}
              calls={guardianCalls(id, uuid)}
              show={show}
              emergency={data.state === 'open' || emergencyAsked ? emergency : null}
              printLink={
                <a className="alone" href={`?incident=${uuid}&print=1`}>
                  {sheetMessages.link}
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
