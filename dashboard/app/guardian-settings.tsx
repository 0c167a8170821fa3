import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { Settings } from '../features/guardians/guardian-page/settings.tsx';
import { CodeProof } from '../features/incidents/code-proof.tsx';
import { PushSwitch } from '../features/push/push-switch.tsx';
import { useRenewal } from '../features/push/use-renewal.ts';
import { leavePush } from '../integrations/push-end.ts';
import { guardianPush } from '../integrations/push-record.ts';

// Loaded on demand by the guardian's page, as one file, as `guardian-parts.tsx` is.
export { PushOffer } from '../features/push/push-offer.tsx';

export function GuardianSettings({ id, view }: { id: string; view: GuardianView }) {
  const recipient = guardianPush(id);
  useRenewal(recipient);
  return (
    <Settings
      view={view}
      proof={(request) => <CodeProof id={id} {...request} />}
      push={<PushSwitch recipient={recipient} />}
      onLeft={() => leavePush(recipient)}
    />
  );
}
