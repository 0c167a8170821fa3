import { ActivityLog } from '../features/activity-log/activity-log.tsx';
import { FireDrill } from '../features/fire-drill/fire-drill.tsx';
import { AskFirst } from '../features/holding/ask-first.tsx';
import { AlertSettingsForm } from '../features/notifications/alert-settings.tsx';
import { PushSwitch } from '../features/push/push-switch.tsx';
import { holderPush } from '../integrations/push-record.ts';
import { config } from '../lib/config.ts';
import { paths } from '../lib/paths.ts';
import { Link } from '../ui/link.tsx';
import { messages } from './messages.ts';

/** Practice alert, alert settings, *Ask first* and activity log. */
export function AlertsScreen() {
  return (
    <div className="wrap read stack-l">
      <Link className="alone" to={config.features.guardians ? paths.guardians : paths.profile}>
        {messages.alerts.back}
      </Link>
      <div>
        <h1>{messages.alerts.heading}</h1>
        <p className="soft">{messages.alerts.lead}</p>
      </div>
      <FireDrill />
      <AlertSettingsForm push={<PushSwitch recipient={holderPush()} />} />
      <AskFirst />
      <ActivityLog />
    </div>
  );
}
