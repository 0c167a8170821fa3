import type { Db, Trx } from '../../db/open.ts';
import type { ProofLookup } from '../../incident-ports.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { SessionProofLookup } from '../../ports.ts';

/** How long the password or a passkey counts after it was given. */
const proof_counts = 10 * 60_000;

export interface ProofAgeDeps {
  clock: Clock;
  /** When the earliest of the open incidents opened, or opened again; null if none is open. */
  openSince(account: string, connection: Db | Trx): Promise<Date | null>;
  /** Whether the account's password was changed at a time from `since` to `until`. */
  passwordChanged(connection: Db | Trx, account: string, since: Date, until: Date): Promise<boolean>;
  proofOf: SessionProofLookup;
}

/**
 * Whether the holder is proven in a session (P10.2). A scammer who gets the mailbox can choose a password in an incident, and one at the computer can
 * add a passkey: it logs in, and says neither yes nor that it is over.
 */
export function holderProofs({ clock, openSince, passwordChanged, proofOf }: ProofAgeDeps): ProofLookup {
  return async (account, session, connection) => {
    const proof = await proofOf(session, connection);
    if (proof === null || after(proof.time, proof_counts) <= clock.now()) return 'none';
    const since = await openSince(account, connection);
    if (since === null) return 'counts';
    if (proof.passkey_created !== null) return proof.passkey_created >= since ? 'new_passkey' : 'counts';
    return (await passwordChanged(connection, account, since, proof.time)) ? 'new_password' : 'counts';
  };
}
