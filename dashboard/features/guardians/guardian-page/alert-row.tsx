import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { Icon } from '../../../ui/icons.tsx';
import { PartsList } from '../../../ui/parts-list.tsx';
import { OnIt } from './acknowledge.tsx';
import { Answers } from './answers.tsx';
import { t } from './messages.ts';

/** One alert, which opens into its four parts. `when`: in words. */
export function AlertRow({ alert, when }: { alert: GuardianView['alerts'][number]; when: string }) {
  const { name, device_name, blocked, certainty, seen, parts, times, answers } = alert;
  const open = blocked ? 'look' : 'danger';
  const what = certainty === 'likely' ? t.alert.looksLike(name) : name;
  return (
    <li>
      <details className="card alert-row" name="alerts">
        <summary>
          <span>
            <strong>{(blocked ? t.alert.blocked : t.alert.notBlocked)(what, device_name)}</strong>
            <br />
            <span className="soft">{when}</span>{' '}
            <span className={`tag ${answers.length ? 'safe' : open}`}>
              <Icon name={blocked || answers.length ? 'tick' : 'warning'} size={18} />
              {blocked ? t.alert.stopped : t.alert.notStopped}
            </span>{' '}
            {seen && <span className="tag off">{t.onIt.short}</span>}
          </span>
          <Icon name="down" className="turn" />
        </summary>
        <div className="body stack">
          <PartsList
            parts={[
              [t.parts.happened, parts.what_happened],
              [t.parts.did, parts.what_we_did],
              [t.parts.over, parts.is_it_over],
              [t.parts.now, parts.what_to_do],
            ]}
          />
          {times > 1 && <p className="soft">{t.alert.times(times)}</p>}
          <OnIt alert={alert} />
          <Answers alert={alert} />
        </div>
      </details>
    </li>
  );
}
