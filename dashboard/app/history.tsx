import type { Detection } from '@porchlight/contract/detections.ts';
import { Link, useSearchParams } from 'react-router';
import { AllowHour } from '../features/allow-list/allow-hour.tsx';
import { AlertHistory } from '../features/detections/alert-history.tsx';
import { messages } from '../features/detections/messages.ts';
import { IncidentList } from '../features/incidents/incident-list.tsx';
import { useSubscription } from '../features/subscriptions/queries.ts';
import { paths } from '../lib/paths.ts';
import { isValid } from '../lib/plan.ts';

/** The alerts of all devices. Without a plan, users can only read and answer them (P9.4). */
export function History() {
  const { data: plan } = useSubscription();
  const member = plan && isValid(plan);
  const allow = useAllow();
  return (
    <div className="wrap read">
      {member && (
        <Link className="alone no-print" to={paths.home}>
          {messages.history.back}
        </Link>
      )}
      <h1>{messages.history.heading}</h1>
      <p className="soft no-print">{messages.history.lead}</p>
      {plan && !member && (
        <div className="note look stack no-print">
          <p>{messages.history.noPlan}</p>
          <Link className="alone" to={paths.subscribe}>
            {messages.history.plans}
          </Link>
        </div>
      )}
      <IncidentList />
      <div className="history">{member ? <AlertHistory extra={allow} /> : <AlertHistory />}</div>
    </div>
  );
}

export function DeviceHistory({ device }: { device: string }) {
  const allow = useAllow();
  return (
    <>
      <AlertHistory device={device} extra={allow} />
      <p className="no-print">
        <Link className="alone" to={paths.history}>
          {messages.ofAll}
        </Link>
      </p>
    </>
  );
}

/** Allows a stopped program for an hour, from its alert. The email about a user's request links here, and the holder can refuse it. */
function useAllow() {
  const [search, setSearch] = useSearchParams();
  const askedDetection = search.has('asked') ? search.get('detectionId') : null;
  const clearQuery = () =>
    setSearch(
      (now) => {
        now.delete('asked');
        return now;
      },
      { replace: true },
    );
  return ({ uuid, device_id, device_name, info }: Detection) => {
    const { site, name, identifier, category } = info;
    const entry = site ? { type: 'domain' as const, identifier: name } : { type: 'definition' as const, identifier };
    return (
      <AllowHour
        device={{ uuid: device_id, name: device_name }}
        what={{ ...entry, name, category }}
        asked={uuid === askedDetection}
        onNo={clearQuery}
      />
    );
  };
}
