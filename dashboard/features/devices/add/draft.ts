import type { CreatedDevice } from '@porchlight/contract/devices.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';

/** 3.5: what is chosen before the device is made. */
export interface Draft {
  machine: 'self' | 'other';
  name: string;
  policy: PolicyId;
}

/** The device that was made, with what it was last called and given. */
export type Created = CreatedDevice & Pick<Draft, 'name' | 'policy'>;

const key = 'porchlight_setup';

/** The draft lives as long as the tab, so that a reload at the download step does not lose it; the created device beside it, so that it does not make two. */
export interface Setup {
  draft?: Draft;
  machine?: 'self' | 'other';
  /** This computer was found to be protected already. */
  here?: boolean;
  created?: Created;
}

export function readSetup(): Setup {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Setup;
  } catch {
    return {};
  }
}

export function writeSetup(setup: Setup): void {
  sessionStorage.setItem(key, JSON.stringify(setup));
}

export function clearSetup(): void {
  sessionStorage.removeItem(key);
}
