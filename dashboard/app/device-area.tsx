import { Navigate, useLocation, useParams } from 'react-router';
import { AllowList } from '../features/allow-list/allow-list.tsx';
import { messages as exceptions } from '../features/allow-list/messages.ts';
import { CallConsent } from '../features/call-consent/call-consent.tsx';
import { DeviceSettings } from '../features/devices/device-settings.tsx';
import { messages as devices } from '../features/devices/messages.ts';
import { useDevice } from '../features/devices/queries.ts';
import { RemoveDevice } from '../features/devices/remove-device.tsx';
import { PolicyChoice } from '../features/policies/policy-choice.tsx';
import { HttpError } from '../lib/http.ts';
import { paths } from '../lib/paths.ts';
import { useTitle } from '../lib/use-title.ts';
import { Link, NavLink } from '../ui/link.tsx';
import { Loading } from '../ui/loading.tsx';
import { optional } from '../ui/optional.tsx';
import { pagePath } from '../ui/page-path.ts';
import { DeviceHistory, PasswordStep } from './device-history.tsx';
import { Helping, WaitingRequests } from './lazy-screen.tsx';
import { messages } from './messages.ts';
import '../features/devices/devices.css';

/** On the holder's own computer they open nothing (P15.1). */
const HolderHelpNow = optional(async () => (await import('./holder-help-now.tsx')).HolderHelpNow);

export function DeviceArea() {
  const { deviceId = '' } = useParams();
  const { pathname } = useLocation();
  const device = useDevice(deviceId);
  const tab = tabOf(pathname);
  const label = {
    general: devices.settings.tab,
    detections: devices.history,
    allowlist: exceptions.tab,
    'remove-device': devices.removal.tab,
  }[tab];
  const name = device.data && (device.data.name || device.data.info.name);
  useTitle(name && (tab === 'general' ? name : `${label}, ${name}`));
  if (device.error instanceof HttpError && device.error.status === 404) return <Navigate to={paths.home} replace />;
  return (
    <div className="wrap read">
      <Link className="alone no-print" to={paths.home}>
        {messages.area.back}
      </Link>
      <Loading of={device} height={320}>
        {(data) => (
          <>
            <h1>{name}</h1>
            <p className="soft">{label}</p>
            <nav className="tabs no-print" aria-label={messages.area.tabs}>
              <NavLink to={paths.device(deviceId)} end>
                {devices.settings.tab}
              </NavLink>
              <NavLink to={paths.deviceDetections(deviceId)}>{devices.history}</NavLink>
              <NavLink to={paths.allowList(deviceId)}>{exceptions.tab}</NavLink>
              <NavLink to={paths.removeDevice(deviceId)}>{devices.removal.tab}</NavLink>
            </nav>
            <WaitingRequests device={deviceId} before />
            <Helping device={deviceId} />
            {/* The key resets the screen, so that no input moves to another device (2.79). */}
            <div key={deviceId}>
              {tab === 'general' && (
                <div className="stack">
                  <DeviceSettings
                    device={data}
                    policyChoice={(value, onChange) => <PolicyChoice value={value} onChange={onChange} />}
                    callConsent={<CallConsent device={{ ...data, name: name ?? '' }} hint />}
                  />
                  {data.person?.is_holder === false && <HolderHelpNow device={deviceId} />}
                </div>
              )}
              {tab === 'detections' && <DeviceHistory device={deviceId} />}
              {tab === 'allowlist' && <AllowList device={deviceId} passwordStep={PasswordStep} />}
              {tab === 'remove-device' && <RemoveDevice device={data} />}
            </div>
          </>
        )}
      </Loading>
    </div>
  );
}

/** The last part of the address names the tab (2.13). */
function tabOf(pathname: string): 'general' | 'detections' | 'allowlist' | 'remove-device' {
  const lastSegment = pagePath(pathname).split('/').at(-1);
  return lastSegment === 'detections' || lastSegment === 'allowlist' || lastSegment === 'remove-device' ? lastSegment : 'general';
}
