import { useNavigate } from 'react-router';
import { logOut } from '../features/accounts/log-out.ts';
import { ResolverOffer } from '../features/browsing-protection/resolver-offer.tsx';
import { CallConsent } from '../features/call-consent/call-consent.tsx';
import { AddDeviceScreen } from '../features/devices/add/add-device-screen.tsx';
import { CompatibilityWarning } from '../features/downloads/compatibility-warning.tsx';
import { DownloadCard } from '../features/downloads/download-buttons.tsx';
import { PolicyChoice } from '../features/policies/policy-choice.tsx';
import { paths } from '../lib/paths.ts';
import { useNewDevicePoll } from './new-device-poll.tsx';

/** Finishing starts polling for new devices (2.60). */
export function AddDevice() {
  const navigate = useNavigate();
  const onLogOut = () => {
    logOut();
    void navigate(paths.login);
  };
  return (
    <AddDeviceScreen
      onFinish={useNewDevicePoll()}
      onLogOut={onLogOut}
      policyChoice={(value, onChange) => <PolicyChoice value={value} onChange={onChange} />}
      callConsent={(device) => <CallConsent device={device} />}
      resolverOffer={<ResolverOffer />}
      compatibility={<CompatibilityWarning />}
      downloads={(code) => <DownloadCard code={code} />}
    />
  );
}
