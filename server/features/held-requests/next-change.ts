import type { NextChange } from '@porchlight/contract/held-requests.ts';
import type { Kernel } from '../../kernel.ts';
import { firstName } from '../../texts/formatting.ts';
import { isOwnDevice } from './decide.ts';
import type { HoldFactStore } from './fact-store.ts';
import type { HoldDeps } from './holds.ts';
import { countsAlone } from './second-activity.ts';

export interface NextChangeDeps
  extends Pick<Kernel, 'db'>,
    Pick<HoldDeps, 'settings' | 'guardiansOf' | 'someoneElses' | 'connected' | 'devicesNear' | 'incidents'> {
  facts: Pick<HoldFactStore, 'countedOf' | 'mayWait'>;
  activeGuardians(account: string): Promise<{ name: string }[]>;
}

export type NextChangeLookup = (account: string, caller: Parameters<HoldDeps['devicesNear']>[1]) => Promise<NextChange | null>;

/** What `decideHold` would say of a further change, as far as that is known before the press: its kind is not. */
export const nextChanges =
  ({ db, settings, guardiansOf, incidents, facts, ...deps }: NextChangeDeps): NextChangeLookup =>
  async (account, caller) => {
    if (!(await facts.mayWait(db, account))) return null;
    const [asksFirst, guardians] = [await settings.asksFirst(account), await guardiansOf(account, db)];
    const open = await incidents.openOf(account, db);
    const isSecond = guardians !== 'none' && (await facts.countedOf(db, account)).recent.some(countsAlone);
    if (!asksFirst && !open.length && !isSecond) return null;
    const [elses, isNear] = [await deps.someoneElses(db, account), await deps.devicesNear(account, caller)];
    const isOwn = (device: string) => isOwnDevice({ someone_elses: elses.has(device), near: isNear(device) }, true);
    const connected = await deps.connected(db, account);
    // The holder of somebody else's computer passes the gate with the password, unless something happens at another one.
    const except = open.every(({ device }) => isOwn(device)) ? connected.map(({ uuid }) => uuid).filter(isOwn) : [];
    const isExempt = connected.length > 0 && except.length === connected.length;
    const cause = open.length && !isExempt ? 'incident' : asksFirst ? 'ask_first' : isExempt ? null : 'second_act';
    if (cause === null) return null;
    return {
      cause,
      rule: guardians === 'none' ? 'hour' : 'day',
      asked: (await deps.activeGuardians(account)).map(({ name }) => firstName(name)),
      except: cause === 'ask_first' ? [] : except,
    };
  };
