import type { CreatedDevice, Person } from '@porchlight/contract/devices.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import type { ReactNode } from 'react';
import { store, stored } from '../../../lib/tab-storage.ts';

/** 3.5: what is chosen before the device is made. */
export interface Draft {
  /** The same draft sent twice makes one device. */
  id: string;
  machine: 'self' | 'other';
  name: string;
  policy: PolicyId;
  /** Who uses it; null as long as nobody has said. */
  person: Person | null;
}

/** Shows the protection profiles to choose from, which another feature has. */
export type PolicyChoice = (value: PolicyId, onChange: (policy: PolicyId) => void) => ReactNode;

export type Typed = Pick<Draft, 'name' | 'policy' | 'person'>;

/** The device that was made, with what it was last called and given. */
export type Created = CreatedDevice & Typed;

const key = 'setup';

/** The draft lives as long as the tab and for one person, so that a reload at the download step does not lose it; the created device beside it, so that it does not make two. */
export interface Setup {
  draft?: Draft | undefined;
  machine?: 'self' | 'other';
  /** What stands in the form while a profile of one's own is made. */
  typed?: Typed | undefined;
  /** This computer is protected already. */
  here?: boolean;
  created?: Created | undefined;
}

export function readSetup(): Setup {
  return stored<Setup>(key) ?? {};
}

export function writeSetup(setup: Setup): void {
  store(key, setup);
}

/** A profile that was made in the middle of adding a device is the one that the device gets, unless another is chosen. */
export function chooseInSetup(policy: PolicyId): void {
  const setup = readSetup();
  writeSetup({ ...setup, typed: { name: setup.typed?.name ?? '', policy, person: setup.typed?.person ?? null } });
}

export function clearSetup(): void {
  store(key, undefined);
}

/** 128 random bits; not by `randomUUID`, which a page without https does not have. */
export function newDraftId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
