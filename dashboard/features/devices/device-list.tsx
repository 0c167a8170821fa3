import type { Device } from '@porchlight/contract/devices.ts';
import type { ReactNode } from 'react';
import type { SafeAlert } from '../../lib/open-alerts.ts';
import { paths } from '../../lib/paths.ts';
import { useFreshness } from '../../lib/use-freshness.ts';
import { useNow } from '../../lib/use-now.ts';
import { Illustration } from '../../ui/illustrations.tsx';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { DeviceRow } from './device-row.tsx';
import { messages } from './messages.ts';
import { listPoll, useDevices } from './queries.ts';
import './devices.css';

/** `limit`: infinity for none; `whenEmpty`: replaces the usual empty text. `waiting`: what waits for an answer at a device. */
export function DeviceList({
  limit,
  whenEmpty,
  alerts,
  waiting,
}: {
  limit: number;
  whenEmpty?: ReactNode;
  alerts?: SafeAlert[] | undefined;
  waiting: (device: string) => ReactNode;
}) {
  const devices = useDevices();
  const now = useNow();
  const { moment } = useFreshness(now, { at: devices.dataUpdatedAt, poll: listPoll });
  const count = devices.data?.length ?? 0;
  return (
    <section aria-labelledby="devices">
      <div className="row between list-head">
        <h2 id="devices">{messages.heading(devices.data && Number.isFinite(limit) && limit > 0 ? { count, limit } : null)}</h2>
        {devices.data && count < limit && (
          <Link className="btn" to={paths.addDevice()}>
            {messages.add}
          </Link>
        )}
      </div>
      {/* The state panel above already shows the reason. */}
      {!(devices.error && !devices.data) && (
        <Loading of={devices} height={240}>
          {(list) =>
            list.length ? (
              <ul>
                {list.map((device: Device) => (
                  <li key={device.uuid}>
                    <DeviceRow device={device} now={now} moment={moment} alerts={alerts} waiting={waiting(device.uuid)} />
                  </li>
                ))}
              </ul>
            ) : (
              <div className="card stack">
                <Illustration of="devices" />
                {whenEmpty || <p>{messages.empty}</p>}
              </div>
            )
          }
        </Loading>
      )}
    </section>
  );
}
