import type { CreatedDevice, Person } from '@porchlight/contract/devices.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import type { ReactNode } from 'react';
import { readStored, store } from '../../../lib/tab-storage.ts';

/** A device that is being added (3.5). */
export interface Draft {
  /** A repeated request with the same id makes only one device. */
  id: string;
  machine: 'self' | 'other';
  name: string;
  policy: PolicyId;
  person: Person | null;
}

export type PolicyChoice = (value: PolicyId, onChange: (policy: PolicyId) => void) => ReactNode;

export type Typed = Pick<Draft, 'name' | 'policy' | 'person'>;

/** The created device, with the name, profile and user last sent. */
export type Created = CreatedDevice & Typed;

const key = 'setup';

/** Stored in the tab for one user, so that a reload neither loses the draft nor makes a second device. */
export interface Setup {
  draft?: Draft | undefined;
  machine?: 'self' | 'other';
  typed?: Typed | undefined;
  here?: boolean;
  created?: Created | undefined;
}

export function readSetup(): Setup {
  return readStored<Setup>(key) ?? {};
}

export function writeSetup(setup: Setup): void {
  store(key, setup);
}

/** Chooses a profile that was made while adding a device. */
export function chooseInSetup(policy: PolicyId): void {
  const setup = readSetup();
  writeSetup({ ...setup, typed: { name: setup.typed?.name ?? '', policy, person: setup.typed?.person ?? null } });
}

export function clearSetup(): void {
  store(key, undefined);
}

/** 128 random bits. Without https there is no `randomUUID`. */
export function newDraftId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
