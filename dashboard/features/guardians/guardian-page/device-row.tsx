import type { ReactNode } from 'react';
import { inWords } from '../../../lib/dates.ts';
import { stateOf } from '../../../lib/device-state.ts';
import { limitationSentences } from '../../../lib/limitation-messages.ts';
import type { SafeAlert } from '../../../lib/open-alerts.ts';
import { outageMessage } from '../../../lib/outage-messages.ts';
import type { SafeDevice } from '../../../lib/safe-fact.ts';
import { Icon } from '../../../ui/icons.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { messages } from './messages.ts';

interface DeviceRowProps {
  device: SafeDevice;
  alerts: SafeAlert[];
  now: Date;
  moment: Date;
  children?: ReactNode;
}

export function DeviceRow({ device, alerts, now, moment, children }: DeviceRowProps) {
  const { name, last_seen, outage, limitations } = device;
  return (
    <li className="card row own-device">
      <Icon name="laptop" size={32} />
      <div>
        <strong>{name}</strong>
        <div className="row">
          <StateTag state={stateOf(device, moment, alerts)} />
          {!outage && <span className="soft">{last_seen ? messages.lastSeen(inWords(new Date(last_seen), now)) : messages.never}</span>}
        </div>
        {outage && <p className="soft">{messages.outage(name, outageMessage(outage, now))}</p>}
        {limitations && <p className="soft">{limitationSentences(limitations).join(' ')}</p>}
        {children}
      </div>
    </li>
  );
}
