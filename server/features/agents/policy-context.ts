import type { AccountHolder } from '@porchlight/contract/agent.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import type { Kernel } from '../../kernel.ts';
import type { BrowsingProtectionLookup } from '../../ports.ts';
import type { AllowedEntry, DeviceForPolicy, DeviceRestrictions, PolicyContext } from './policy.ts';
import type { UnlistedContext } from './unlisted-policy.ts';

/** What a policy says of incidents and of what is on no list. */
interface IncidentDeps {
  unlistedChoiceOf(account: string): Promise<UnlistedContext['choice']>;
  isUnanswered(account: string, device: string): Promise<boolean>;
  startAnswersOf(device: string): Promise<UnlistedContext['answers']>;
  isInIncidentAt(account: string, device: string): Promise<boolean>;
  emergencyStopAt(account: string, device: string): Promise<PolicyContext['emergency_stop']>;
  isolationAt(device: string): Promise<PolicyContext['isolation']>;
  secretIdOf(device: string): Promise<string | null>;
}

export interface PolicyContextDeps extends IncidentDeps, Pick<Kernel, 'clock'> {
  guardianNamesOf(account: string): Promise<string[]>;
  holderOf(account: string): Promise<AccountHolder>;
  allowOf(device: string): Promise<AllowedEntry[]>;
  /** What restricts the device, where something was made possible within a day, without a yes (P9.1). */
  restrictionsAt(account: string, device: string): Promise<DeviceRestrictions>;
  pinShown(account: string): Promise<boolean>;
  browsingOf: BrowsingProtectionLookup;
  pinOf(account: string, device: string): Promise<PinHash>;
  hasValidPlan(account: string): Promise<boolean>;
  /** Whether an incident that opened with a plan keeps its policy (P10.1). */
  keepsPlan(account: string): Promise<boolean>;
}

/** Reads what a device's policy depends on, besides the device itself. `in_long_use`: the device gets the hash of the PIN. */
export function policyContexts(deps: PolicyContextDeps) {
  return async (
    { uuid: device, account, person }: DeviceForPolicy & { account: string },
    { in_long_use, epoch }: { in_long_use: boolean; epoch: number },
  ): Promise<PolicyContext> => {
    const guardians = await deps.guardianNamesOf(account);
    const allow = await deps.allowOf(device);
    const browsing = await deps.browsingOf(account);
    const paid = (await deps.hasValidPlan(account)) || (await deps.keepsPlan(account));
    const holder = await deps.holderOf(account);
    // When another person uses the computer, the policy also lists the holder as someone to call.
    const relatives = person && !person.is_holder ? [holder.first_name, ...guardians] : guardians;
    const pin = in_long_use ? await deps.pinOf(account, device) : null;
    const restrictions = await deps.restrictionsAt(account, device);
    const pin_shown = await deps.pinShown(account);
    return {
      ...{ epoch, relatives, holder, allow, restrictions, pin_shown, browsing, paid, pin },
      incident: await deps.isInIncidentAt(account, device),
      emergency_stop: await deps.emergencyStopAt(account, device),
      isolation: await deps.isolationAt(device),
      code_secret: await deps.secretIdOf(device),
      // The holder of somebody else's computer answers as a guardian does.
      has_guardian: guardians.length > 0 || (person !== null && !person.is_holder),
      unlisted: {
        choice: await deps.unlistedChoiceOf(account),
        unanswered: await deps.isUnanswered(account, device),
        answers: await deps.startAnswersOf(device),
      },
      issued: deps.clock.now(),
    };
  };
}
