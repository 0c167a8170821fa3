import type { Incident } from '@porchlight/contract/incidents.ts';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useProfile } from '../features/accounts/queries.ts';
import { holderCalls } from '../features/incidents/calls.ts';
import { IncidentView } from '../features/incidents/incident-view.tsx';
import { messages } from '../features/incidents/messages.ts';
import { PrintSheet } from '../features/incidents/print-sheet.tsx';
import { useIncident } from '../features/incidents/queries.ts';
import { sheetMessages } from '../features/incidents/sheet-messages.ts';
import { useSubscription } from '../features/subscriptions/queries.ts';
import { HttpError } from '../lib/http.ts';
import { paths } from '../lib/paths.ts';
import { isValid } from '../lib/plan.ts';
import { Link } from '../ui/link.tsx';
import { type Loadable, Loading } from '../ui/loading.tsx';

/** An incident, also without a plan (P9.3, P9.4). */
export function IncidentScreen() {
  const { incidentId = '' } = useParams();
  const { data: plan } = useSubscription();
  const { query, show } = useIncident(incidentId);
  const back = (
    <Link className="alone" to={plan && !isValid(plan) ? paths.history : paths.home}>
      {messages.back}
    </Link>
  );
  return (
    <div className="wrap">
      {back}
      <Found of={query}>
        {(incident) => (
          <IncidentView
            key={incidentId}
            incident={incident}
            reader={{ kind: 'holder' }}
            calls={holderCalls(incidentId)}
            show={async (changed) => {
              if (changed) await show(changed);
              else await query.refetch();
            }}
            printLink={
              <Link className="alone" to={`${paths.incident(incidentId)}/print`}>
                {sheetMessages.link}
              </Link>
            }
            alertLink={(alert) => <Link to={`${paths.history}?detectionId=${alert}`}>{messages.alert}</Link>}
          />
        )}
      </Found>
    </div>
  );
}

/** The page for the bank and the police (P9.3). */
export function PrintIncidentScreen() {
  const { incidentId = '' } = useParams();
  const { query } = useIncident(incidentId);
  const profile = useProfile();
  const back = (
    <Link className="alone" to={paths.incident(incidentId)}>
      {messages.back}
    </Link>
  );
  return (
    <div className="wrap read">
      <Found of={query}>
        {(incident) => (
          <Loading of={profile} height={480}>
            {({ name }) => <PrintSheet incident={incident} holder={name} back={back} />}
          </Loading>
        )}
      </Found>
    </div>
  );
}

function Found({ of: query, children }: { of: Loadable<Incident>; children: (incident: Incident) => ReactNode }) {
  if (query.error instanceof HttpError && query.error.status === 404) return <p className="note look">{messages.gone}</p>;
  return (
    <Loading of={query} height={480}>
      {children}
    </Loading>
  );
}
