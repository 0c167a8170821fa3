import { useParams, useSearchParams } from 'react-router';
import { BrowsingProtectionForm } from '../features/browsing-protection/browsing-protection-form.tsx';
import { chooseInSetup } from '../features/devices/add/draft.ts';
import { useDevices } from '../features/devices/queries.ts';
import { messages } from '../features/policies/messages.ts';
import { NewPolicyScreen } from '../features/policies/new-policy-screen.tsx';
import { PolicyListScreen } from '../features/policies/policy-list-screen.tsx';
import { PolicyScreen } from '../features/policies/policy-screen.tsx';
import { UnlistedProtectionForm } from '../features/unlisted-protection/unlisted-protection-form.tsx';
import { paths } from '../lib/paths.ts';
import { Loading } from '../ui/loading.tsx';
import { WaitingRequests } from './lazy-screen.tsx';

export function Policies() {
  const devices = useDevices();
  if (!devices.data) {
    return (
      <div className="wrap read">
        <Loading of={devices} height={320}>
          {() => null}
        </Loading>
      </div>
    );
  }
  const { data } = devices;
  return (
    <PolicyListScreen devicesWith={(policy) => data.filter((device) => device.policy === policy).length}>
      <WaitingRequests before />
      <UnlistedProtectionForm />
      <BrowsingProtectionForm />
    </PolicyListScreen>
  );
}

/** A new profile in the middle of adding a device leads back there. */
export function NewPolicy() {
  const [search] = useSearchParams();
  if (search.get('for') === 'setup') {
    return <NewPolicyScreen back={{ to: paths.addDevice('policy'), label: messages.toSetup }} onMade={chooseInSetup} />;
  }
  return <NewPolicyScreen back={{ to: paths.policies, label: messages.toList }} />;
}

export function Policy() {
  const { policyId = '' } = useParams();
  return (
    <PolicyScreen id={policyId}>
      <WaitingRequests before />
    </PolicyScreen>
  );
}
