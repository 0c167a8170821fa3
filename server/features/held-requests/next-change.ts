import type { AllowingOutlook } from '@porchlight/contract/allow-list.ts';
import type { NextChange } from '@porchlight/contract/held-requests.ts';
import type { Authority } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { type AnsweringDeps, answeringOf } from './ask-guardians.ts';
import { areOwnDevices, isOwnDevice } from './decide.ts';
import type { HoldFactStore } from './fact-store.ts';
import type { HoldDeps } from './holds.ts';
import { countsAlone } from './second-activity.ts';

export interface NextChangeDeps
  extends Pick<Kernel, 'db' | 'clock'>,
    Pick<HoldDeps, 'settings' | 'guardiansOf' | 'someoneElses' | 'connected' | 'devicesNear' | 'proofState'> {
  incidents: HoldDeps['incidents'] & AnsweringDeps['incidents'];
  facts: Pick<HoldFactStore, 'countedOf' | 'mayWait'>;
  activeGuardians(account: string): Promise<{ uuid: string; name: string; accepted: Date | null }[]>;
  authority: Pick<Authority, 'provenOf'>;
}

type Caller = Parameters<HoldDeps['devicesNear']>[1];
export type NextChangeLookup = (account: string, caller: Caller) => Promise<NextChange | null>;
export type AllowingOutlookLookup = (account: string, device: string, caller: Caller & { session: string }) => Promise<AllowingOutlook>;

/** What `decideHold` will say of a press, as far as that is known before it. */
export function nextChanges({ db, clock, settings, guardiansOf, incidents, facts, ...deps }: NextChangeDeps) {
  const factsOf = async (account: string, caller: Caller) => {
    const [asks_first, guardians] = [await settings.asksFirst(account), await guardiansOf(account, db)];
    const open = await incidents.openOf(account, db);
    const second = guardians !== 'none' && (await facts.countedOf(db, account)).recent.some(countsAlone);
    const [elses, isNear] = [await deps.someoneElses(db, account), await deps.devicesNear(account, caller)];
    const deviceFact = (device: string) => ({ someone_elses: elses.has(device), near: isNear(device) });
    const connected = (await deps.connected(db, account)).map(({ uuid }) => uuid);
    return { asks_first, guardians, open, second, deviceFact, connected };
  };

  /** What it will say of a further change, whose kind is not known. */
  const nextChange: NextChangeLookup = async (account, caller) => {
    if (!(await facts.mayWait(db, account))) return null;
    const { asks_first, guardians, open, second, deviceFact, connected } = await factsOf(account, caller);
    if (!asks_first && !open.length && !second) return null;
    const isOwn = (device: string) => isOwnDevice(deviceFact(device), true);
    // The holder of somebody else's computer passes the gate with the password, unless something happens at another one.
    const except = open.every(({ device }) => isOwn(device)) ? connected.filter(isOwn) : [];
    const isExempt = connected.length > 0 && except.length === connected.length;
    const cause = open.length && !isExempt ? 'incident' : asks_first ? 'ask_first' : isExempt ? null : 'second_act';
    if (cause === null) return null;
    return {
      cause,
      rule: guardians === 'none' ? 'hour' : 'day',
      asked: (await answeringOf({ ...deps, incidents }, { account, incident: open.at(-1)?.uuid ?? null, time: clock.now() }, db)).asked,
      except: cause === 'ask_first' ? [] : except,
    };
  };

  /** What happens when a remote-control program is allowed at a device now, and when it starts (P15.2). */
  const outlookOf: AllowingOutlookLookup = async (account, device, caller) => {
    const { asks_first, guardians, open, second, deviceFact, connected } = await factsOf(account, caller);
    if (asks_first) return 'waits';
    const isConnected = connected.includes(device);
    const about = (isConnected ? [device] : connected).map(deviceFact);
    const isOwn = areOwnDevices(about, true);
    const proves = isOwn && (await deps.proofState(account, caller.session, db)) === 'counts';
    // The password that is entered for this press may have been changed since the incident opened.
    if (open.length) return proves && open.every((one) => isOwnDevice(deviceFact(one.device), true)) ? 'runs' : 'waits';
    if (guardians === 'none' || proves) return 'runs';
    if (isOwn) return 'runs_with_password';
    return second && isConnected ? 'may_wait' : 'asks';
  };
  return { nextChange, outlookOf };
}
