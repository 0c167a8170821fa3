import { AlertHistory } from '../features/detections/alert-history.tsx';
import { messages } from '../features/detections/messages.ts';
import { IncidentList } from '../features/incidents/incident-list.tsx';
import { useSubscription } from '../features/subscriptions/queries.ts';
import { paths } from '../lib/paths.ts';
import { isValid } from '../lib/plan.ts';
import { Link } from '../ui/link.tsx';
import { useAllow } from './device-history.tsx';

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
