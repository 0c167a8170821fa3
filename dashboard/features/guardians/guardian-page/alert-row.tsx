import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { AlertText } from '../../../ui/alert-text.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Acknowledge } from './acknowledge.tsx';
import { messages } from './alert-messages.ts';
import { Answers } from './answers.tsx';

export function AlertRow({ alert, when }: { alert: GuardianView['alerts'][number]; when: string }) {
  const { name, device_name, blocked, certainty, seen, explanation, times, answers } = alert;
  const open = blocked ? 'look' : 'danger';
  const programText = certainty === 'likely' ? messages.alert.looksLike(name) : name;
  return (
    <li>
      <details className="card alert-row" name="alerts">
        <summary>
          <span>
            <strong>{(blocked ? messages.alert.blocked : messages.alert.notBlocked)(programText, device_name)}</strong>
            <br />
            <span className="soft">{when}</span>{' '}
            <span className={`tag ${answers.length ? 'safe' : open}`}>
              <Icon name={blocked || answers.length ? 'tick' : 'warning'} size={18} />
              {blocked ? messages.alert.stopped : messages.alert.notStopped}
            </span>{' '}
            {seen && <span className="tag off">{messages.onIt}</span>}
          </span>
          <Icon name="down" className="turn" />
        </summary>
        <div className="body stack">
          <AlertText
            sections={[
              [messages.parts.happened, explanation.what_happened],
              [messages.parts.did, explanation.what_we_did],
              [messages.parts.over, explanation.is_it_over],
              [messages.parts.now, explanation.what_to_do],
            ]}
          />
          {times > 1 && <p className="soft">{messages.alert.times(times)}</p>}
          <Acknowledge alert={alert} />
          <Answers alert={alert} />
        </div>
      </details>
    </li>
  );
}
