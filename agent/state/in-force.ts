import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import { fixedPolicies, freePlan } from '@porchlight/contract/policies.ts';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import { noUnlistedPolicy, type UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { type AllowEntry, type CompiledRecognition, compileRecognition } from '@porchlight/definitions/match.ts';
import type { DefinitionSet } from '@porchlight/definitions/recognition.ts';
import type { FreePlan, Identity, Store } from './store.ts';

export type Rules = Pick<DevicePolicy, 'actions' | 'block_likely'> & { allow: AllowEntry[] };

/** The rules of a computer that is not linked, or whose policy is missing (1.2, P3.6, P4.1). */
const freeRules: Rules = { ...freePlan, allow: [...freePlan.allow] };

/** `by`: who helps; null: a one-time code allowed it. `ends_soon`: within five minutes. */
export interface RunningAppointment {
  identifier: string;
  program: string;
  by: string | null;
  money_pages: boolean;
  until: Date;
  ends_soon: boolean;
}

/** The state in force, for all parts of the agent. Only the session changes it. */
export interface InForce {
  identity: Identity | null;
  policy: DevicePolicy | null;
  /** The free plan of an unlinked computer. Its rules also apply to a device until the policy arrives. */
  free: FreePlan | null;
  definitions(): DefinitionSet | null;
  compiled(): CompiledRecognition | null;
  useDefinitions(next: DefinitionSet): void;
  paused: () => boolean;
  /** Whether the start of a remote-control program ends the pause (P9.1); set by the local controls. */
  isPauseCautious: () => boolean;
  /** Removes expired entries from a policy; set by the timed allowances. */
  stillAllowed: (policy: DevicePolicy) => DevicePolicy;
  /** The PIN of an account that removed this computer within the last day; set by the local controls. */
  formerPin: () => PinHash | null;
  /** Milliseconds for which that PIN is needed, also where it is not known here; set by the local controls. */
  formerPinLeft: () => number;
  /** Milliseconds left of a local emergency stop (P9.5), and what runs by appointment (P15.1, P10.7); set by the local controls. */
  helpLeft: () => number;
  helping: () => RunningAppointment[];
  /**
   * How late it is at least, by the server's signed times and the running time since; set by the local controls. A local clock that is set
   * forward does not change it.
   */
  signedNow: () => Date;
  strictFor: () => number;
  /** Whether the free plan is the minimum, for a day after an undo (P10.8). */
  isFreeMinimum: () => boolean;
  leavesIn: () => number | null;
  strict(): boolean;
  /** True for an unlinked computer without the free plan that was started with a code, until the server has answered the code. */
  isNew: boolean;
  /** Whether linking needs the user's consent, because an account or the free plan is in force. */
  asksConsent(): boolean;
  rules(): Rules | null;
  /** The rules without a pause. */
  rulesUnpaused(): Rules | null;
  /** The protective resolver of the policy, also during a pause, because it is no block of ours; null: the network's own DNS servers. */
  protectiveResolver(): DevicePolicy['resolver'];
  /** The policy about threats that are on no list (P12.3 to P12.6); nothing of it during a pause, and without an account. */
  unlisted(): UnlistedPolicy;
  /** What guardians answered about starts that wait, and about money sites. */
  startAnswers(): UnlistedPolicy['answers'];
  /** Money sites rest also during a pause, since remote control may run then (P12.6). */
  money(): UnlistedPolicy['money'];
  /** What the policy wants of the browsers' own policies: nothing during a pause. `origins`: the websites that may send notifications. */
  wantedBrowserPolicies(): 'none' | { incident: boolean; origins: string[] };
  /** The source of the rules in force; null during a pause, or while rules or definitions are missing. */
  protects(): 'policy' | 'free' | null;
  pin(): PinHash | null;
  /** Whether weakening protection needs a PIN: during an account and for a day afterwards. */
  asksPin(): boolean;
}

const strictRules: Rules = { actions: fixedPolicies.strict.actions, block_likely: true, allow: [] };

/** An emergency stop suspends appointments, as it does the allow list (P10.6). */
function withAppointments(policy: DevicePolicy, appointments: RunningAppointment[]): Rules {
  if (!appointments.length || policy.emergency_stop) return policy;
  // The server knows of it already, so a start that it allows is not reported (P9.1). A code is about a program that was stopped here.
  const entries = appointments.map(({ identifier, by }) => {
    return { type: 'definition' as const, identifier, until: null, reported_until: null, only_certain: by !== null };
  });
  return { ...policy, allow: [...policy.allow, ...entries] };
}

function atLeastFree({ actions }: Rules): Rules {
  const stronger = (kind: keyof Rules['actions']) => (freeRules.actions[kind] === 'block' ? 'block' : actions[kind]);
  return {
    ...freeRules,
    actions: {
      RemoteControl: stronger('RemoteControl'),
      DeceptiveUtility: stronger('DeceptiveUtility'),
      ScamWebsite: stronger('ScamWebsite'),
    },
  };
}

export type WantsFree = boolean | 'with_code';

/** Restores the state from before the start. `wantsFree`: choose the free plan unless the computer is linked. */
export async function readInForce(store: Store, wantsFree: WantsFree): Promise<InForce> {
  const identity = await store.identity();
  const storedPolicy = await store.policy();
  let definitions = await store.definitions();
  let compiled = definitions && compileRecognition(definitions);
  let free = identity ? null : await store.freePlan();
  const isNew = !identity && !free && wantsFree === 'with_code';
  if (!identity && !free && wantsFree) {
    free = 'chosen';
    // The choice is not stored, so that a computer that waits for its code stays new after a restart.
    if (!isNew) await store.setFreePlan(free);
  }
  const state: InForce = {
    identity,
    policy: storedPolicy && storedPolicy.device === identity?.device.uuid ? storedPolicy : null,
    free,
    definitions: () => definitions,
    compiled: () => compiled,
    useDefinitions(newDefinitions) {
      definitions = newDefinitions;
      compiled = compileRecognition(newDefinitions);
    },
    paused: () => false,
    isPauseCautious: () => false,
    stillAllowed: (policy) => policy,
    formerPin: () => null,
    formerPinLeft: () => 0,
    helpLeft: () => 0,
    helping: () => [],
    signedNow: () => new Date(0),
    strictFor: () => 0,
    isFreeMinimum: () => false,
    leavesIn: () => null,
    strict: () => state.strictFor() > 0,
    isNew,
    asksConsent: () => state.identity !== null || (state.free !== null && !state.isNew),
    rules: () => (state.paused() ? null : state.rulesUnpaused()),
    rulesUnpaused() {
      if (!state.identity) return state.free && freeRules;
      if (state.strict() || state.helpLeft() > 0) return strictRules;
      if (!state.policy) return freeRules;
      const rules = withAppointments(state.stillAllowed(state.policy), state.helping());
      return state.isFreeMinimum() ? atLeastFree(rules) : rules;
    },
    protectiveResolver: () => (state.identity && state.policy ? state.policy.resolver : null),
    unlisted() {
      const unlisted = state.identity && !state.paused() ? state.policy?.unlisted : undefined;
      if (!unlisted) return noUnlistedPolicy;
      return state.strict() || state.helpLeft() > 0 ? { ...unlisted, pasted_commands: 'block', doors: 'block' } : unlisted;
    },
    startAnswers: () => (state.identity && state.policy?.unlisted.answers) || [],
    money() {
      const money = (state.identity && state.policy?.unlisted.money) || null;
      return money && state.helpLeft() > 0 ? { ...money, unanswered: true } : money;
    },
    wantedBrowserPolicies() {
      if (state.rules() === null || state.identity === null || !state.policy?.browsers) return 'none';
      return { incident: state.policy.lock, origins: state.policy.notification_origins };
    },
    protects: () => (state.rules() && compiled ? (state.identity && state.policy ? 'policy' : 'free') : null),
    pin: () => (state.identity ? (state.policy?.pin ?? null) : state.formerPin()),
    asksPin: () => state.identity !== null || state.formerPinLeft() > 0,
  };
  return state;
}
