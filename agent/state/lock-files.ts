import { codePurpose } from '@porchlight/contract/one-time-codes.ts';
import { uuid } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';
import { span } from '../lib/span.ts';
import type { SealedFiles } from './sealed-files.ts';
import { type StoredCodeSecret, sealedSecret, sealedSecrets } from './sealed-secrets.ts';

/**
 * The facts of the lock (P10.5). `word`: since the server's last word. `ended`: since the last end of a remote-control program that the
 * server does not know, and since the first. `lost`: since this state was found missing. `help`: a local emergency stop. `signed`: the newest
 * time that the server has signed, in milliseconds since 1970.
 */
const lockState = z.object({
  device: uuid,
  word: span.nullable(),
  ended: z.object({ last: span, all: span }).nullable(),
  lost: span.nullable(),
  help: span.nullable(),
  signed: z.number(),
});
export type LockState = z.infer<typeof lockState>;
export const unlocked = { word: null, ended: null, lost: null, help: null, signed: 0 } as const satisfies Omit<LockState, 'device'>;

const usedCode = z.object({ purpose: codePurpose, program: z.string(), window: z.number(), number: z.number() });
/** One-time codes that were used. `newest`: the newest signed time then. */
const usedCodes = z.object({ newest: z.number(), used: z.array(usedCode) });
type UsedCodes = z.infer<typeof usedCodes>;

/** A program that may run for a time. `by`: who helps; null: a one-time code allowed it. `ended`: how long its program still ends without an alarm. */
const storedAppointment = z.object({
  device: uuid,
  uuid,
  identifier: z.string(),
  program: z.string(),
  by: z.string().nullable(),
  money_pages: z.boolean(),
  span,
  ended: span.nullable(),
});
export type StoredAppointment = z.infer<typeof storedAppointment>;

export interface LockFilesDeps {
  files: SealedFiles;
  file: (name: string) => string;
  key: Uint8Array;
  /** Linking creates the lock's file, so a linked device without the file has lost it. */
  isLinked: () => Promise<boolean>;
}

/** The files of the lock and of the one-time codes. */
export function lockFiles({ files, file, key, isLinked }: LockFilesDeps) {
  const secrets = sealedSecrets(key);
  return {
    /** `lost`: missing or rejected, although it existed. Null: of another device, or not linked. */
    lockState: async (device: string): Promise<LockState | 'lost' | null> => {
      const state = await files.read(file('lock'), lockState);
      if (state) return state.device === device ? state : null;
      return (await isLinked()) ? 'lost' : null;
    },
    setLockState: (state: LockState) => files.write(file('lock'), state),

    /** The secret of the one-time codes, encrypted with a key derived from the key of the checksums. Null: there is none. */
    codeSecret: async (): Promise<StoredCodeSecret | null> => secrets.open(await files.read(file('code-secret'), sealedSecret)),
    setCodeSecret: (secret: StoredCodeSecret) => files.write(file('code-secret'), secrets.seal(secret)),
    usedCodes: async (): Promise<UsedCodes> => (await files.read(file('codes-used'), usedCodes)) ?? { newest: 0, used: [] },
    setUsedCodes: (codes: UsedCodes) => files.write(file('codes-used'), codes),
    appointments: async (): Promise<StoredAppointment[]> => (await files.read(file('appointments'), z.array(storedAppointment))) ?? [],
    setAppointments: (appointments: StoredAppointment[]) => files.write(file('appointments'), appointments),
  };
}
