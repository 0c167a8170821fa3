import type { Device } from '@porchlight/contract/devices.ts';
import { limits, zero_time } from '@porchlight/contract/limits.ts';
import { type ReactNode, useRef } from 'react';
import { config } from '../../lib/config.ts';
import { inWords } from '../../lib/dates.ts';
import { stateOf } from '../../lib/device-state.ts';
import { limitationSentences } from '../../lib/limitation-messages.ts';
import type { SafeAlert } from '../../lib/open-alerts.ts';
import { outageMessage } from '../../lib/outage-messages.ts';
import { pages, paths } from '../../lib/paths.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Link } from '../../ui/link.tsx';
import { StateTag } from '../../ui/state-tag.tsx';
import { codeExpired, ExpiredCode } from './expired-code.tsx';
import { messages } from './messages.ts';

interface DeviceRowProps {
  device: Device;
  now: Date;
  moment: Date;
  alerts?: SafeAlert[] | undefined;
  waiting: ReactNode;
}

/** A device's row (2.53 to 2.57), with its state now or at a `moment`. */
export function DeviceRow({ device, now, moment, alerts, waiting }: DeviceRowProps) {
  const state = stateOf(device, moment, alerts);
  const name = device.name || device.info.name;
  // A device that no longer protects may have blocked something just before.
  const reportedState = stateOf({ ...device, outage: null }, moment, alerts);
  const open = reportedState === 'alert' || reportedState === 'not_stopped';
  const alerted = device.last_detection !== zero_time;
  const isLast = ({ device_id, info }: SafeAlert) => device_id === device.uuid && info.last_time >= device.last_detection;
  // Whether it was stopped is known of listed alerts only.
  const lastWords = alerts?.find(isLast)?.info.blocked ? messages.lastStopped : messages.lastAlert;
  const lastAlert = lastWords(inWords(new Date(device.last_detection), now));
  const expired = codeExpired(device, now);
  const pending = useRef<HTMLDivElement>(null);
  return (
    <div className="card device">
      <Icon name="laptop" size={40} />
      <div>
        <div className="name">{name}</div>
        <div className="row">
          <StateTag state={state} />
          {open && reportedState !== state && <StateTag state={reportedState} />}
          {alerted && !open && (
            <span className="soft row" role="img" aria-label={lastAlert} title={lastAlert}>
              <Icon name="warning" size={18} />
            </span>
          )}
          {device.login_code
            ? !expired && (
                <span className="soft">
                  {messages.code} <span className="nowrap">{device.login_code}</span>
                </span>
              )
            : device.last_seen && <span className="soft">{messages.lastSeen(inWords(new Date(device.last_seen), now))}</span>}
        </div>
        {device.outage && <p className="soft">{messages.outage(name, outageMessage(device.outage, now))}</p>}
        {waiting}
        {device.limitations && <p className="soft">{limitationSentences(device.limitations).join(' ')}</p>}
        {device.login_code && (
          <div className="pending" ref={pending} tabIndex={-1}>
            {expired ? (
              <ExpiredCode uuid={device.uuid} name={name} onMade={() => pending.current?.focus()} />
            ) : (
              <CopyButton
                text={`${config.host}${pages.share(device.login_code)}`}
                label={messages.copyShareLink}
                done={messages.copied}
                ms={limits.copied_in_list}
              />
            )}
          </div>
        )}
      </div>
      <div className="act">
        <Link
          className="btn quiet"
          to={open ? paths.deviceDetections(device.uuid) : paths.device(device.uuid)}
          aria-label={messages.manageName(name)}
        >
          {messages.manage}
        </Link>
      </div>
    </div>
  );
}
