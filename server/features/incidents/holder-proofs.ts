import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { SessionProofLookup } from '../../ports.ts';
import type { HoldFactStore } from './fact-store.ts';
import type { IncidentStore } from './store.ts';

/** How long the password or a passkey counts after it was given. */
const proof_counts = 10 * 60_000;

/** `new_password`, `new_passkey`: given just now, but it came while an incident was open, and does not count until that is over (P10.1). */
export type ProofState = 'counts' | 'none' | 'new_password' | 'new_passkey';

export type HolderProofs = ReturnType<typeof holderProofs>;

export interface ProofAgeDeps {
  clock: Clock;
  incidents: Pick<IncidentStore, 'openSince'>;
  facts: Pick<HoldFactStore, 'passwordChanged'>;
  proofOf: SessionProofLookup;
}

/**
 * Whether the holder is proven in a session (P10.2). A scammer who gets the mailbox can choose a password in an incident, and one at the computer can
 * add a passkey: it logs in, and says neither yes nor that it is over.
 */
export function holderProofs({ clock, incidents, facts, proofOf }: ProofAgeDeps) {
  return async (account: string, session: string, connection: Db | Trx): Promise<ProofState> => {
    const proof = await proofOf(session, connection);
    if (proof === null || after(proof.time, proof_counts) <= clock.now()) return 'none';
    const since = await incidents.openSince(account, connection);
    if (since === null) return 'counts';
    if (proof.passkey_created !== null) return proof.passkey_created >= since ? 'new_passkey' : 'counts';
    return (await facts.passwordChanged(connection, account, since, proof.time)) ? 'new_password' : 'counts';
  };
}
