import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Kernel } from '../../kernel.ts';
import { devicePolicy } from './document.ts';
import { type PinHashDeps, pinHashes } from './pins.ts';
import { type PolicyParts, policyReader } from './read.ts';
import { deviceUse } from './use.ts';

interface PolicyAsks extends Pick<PinHashDeps, 'sealedPinOf'> {
  contributions: Omit<PolicyParts, 'pin'>;
  /** Whether the server fetches a list of them. */
  knows_young_sites: boolean;
}

/** The policy of a device: a document that features contribute to. */
export function devicePolicyFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'events'>,
  { contributions, sealedPinOf, knows_young_sites }: PolicyAsks,
) {
  const { db, clock, events } = kernel;
  const pins = pinHashes({ ...kernel, sealedPinOf });
  const use = deviceUse(db, clock, (trx, account, device) => events.emit(trx, 'policy_changed', { account, device }));
  const read = policyReader({ ...kernel, knows_young_sites }, { ...contributions, pin: pins.inPolicy });
  return {
    ports: {
      noteUse: use.note,
      isPin: pins.isRight,
      /** Notes that the device is in use. `epoch`: of the definitions. Undefined for a removed device. */
      async policyOf(device: string, epoch: number): Promise<DevicePolicy | undefined> {
        // A device that was used for an hour gets the PIN hash.
        const in_long_use = (await use.note(device)) !== 'not yet';
        const found = await read(device, { in_long_use, epoch });
        return found && devicePolicy(found.device, found.context);
      },
    },
  };
}
