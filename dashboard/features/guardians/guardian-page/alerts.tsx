import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { inWords } from '../../../lib/dates.ts';
import { AlertRow } from './alert-row.tsx';

export function Alerts({ alerts, now }: { alerts: GuardianView['alerts']; now: Date }) {
  return (
    <ul className="stack">
      {alerts.map((alert) => (
        <AlertRow key={alert.uuid} alert={alert} when={inWords(new Date(alert.time), now)} />
      ))}
    </ul>
  );
}
