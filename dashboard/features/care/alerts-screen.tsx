import { Link } from 'react-router';
import { config } from '../../lib/config.ts';
import { paths } from '../../lib/paths.ts';
import { Acts } from './acts.tsx';
import { AlertSettingsForm } from './alert-settings.tsx';
import { FireDrill } from './fire-drill.tsx';
import { t } from './texts.ts';

/** The practice alert, how the holder is told, and what was changed. */
export function AlertsScreen() {
  return (
    <div className="wrap read stack-l">
      <Link className="alone" to={config.features.guardians ? paths.guardians : paths.profile}>
        {t.back}
      </Link>
      <div>
        <h1>{t.heading}</h1>
        <p className="soft">{t.lead}</p>
      </div>
      <FireDrill />
      <AlertSettingsForm />
      <Acts />
    </div>
  );
}
