import type { guardianEndpoints } from '@porchlight/contract/guardians.ts';
import type { FastifyRequest } from 'fastify';
import type { Trx } from '../../db/open.ts';
import type { Handlers } from '../../http/bind.ts';
import type { GuardianProof } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import { guardianDecliner, type HolderNotifierDeps, holderNotifier } from './decline.ts';
import { leftEmail } from './emails.ts';
import { type OwnView, proofOf } from './own-page.ts';
import { stateOf } from './rules.ts';
import type { GuardianRow, GuardianStore } from './store.ts';

export interface OwnAnswerDeps extends HolderNotifierDeps, Pick<Kernel, 'db' | 'clock' | 'events'> {
  store: GuardianStore;
  prove: GuardianProof;
  /** Ends the push messages to all browsers of a guardian (P11.6). */
  endPushes(trx: Trx, guardian: string): Promise<unknown>;
}

type OwnAnswer = Pick<
  Handlers<typeof guardianEndpoints>,
  'POST /guardian/:id/accept' | 'POST /guardian/:id/decline' | 'POST /guardian/:id/leave'
>;

/** Accepting, declining and leaving; declining and leaving notify the holder. */
export function ownAnswer(deps: OwnAnswerDeps & OwnView): OwnAnswer {
  const { db, clock, store } = deps;
  const notifyHolder = holderNotifier(deps);
  const decline = guardianDecliner(deps);

  /** Runs a change with the guardian locked, and returns the guardian's new view. */
  const withGuardian = async (
    { guardian: id, request }: { guardian: string; request: FastifyRequest },
    reaction: (trx: Trx, guardian: GuardianRow) => Promise<unknown>,
  ) => {
    const guardian = await db.transaction().execute(async (trx) => {
      await reaction(trx, (await store.locked(trx, id)) ?? fail('guardian_link_dead'));
      return (await store.byUuid(id, trx)) ?? fail('guardian_link_dead');
    });
    return deps.viewOf(guardian, request);
  };

  const leave = async (trx: Trx, guardian: GuardianRow) => {
    await store.leave(trx, guardian.uuid);
    await deps.endPushes(trx, guardian.uuid);
    await deps.events.emit(trx, 'policy_changed', { account: guardian.account, device: null });
    await deps.events.emit(trx, 'guardian_gone', { account: guardian.account });
    await notifyHolder(trx, guardian, 'left', (holder, url) => leftEmail(holder, guardian.name, url));
  };

  return {
    'POST /guardian/:id/accept': (call) =>
      withGuardian(call, async (trx, guardian) => {
        const state = stateOf(guardian, clock.now());
        if (state === 'active') return;
        if (state !== 'pending') fail('link_expired');
        await store.accept(trx, guardian.uuid);
        await deps.events.emit(trx, 'policy_changed', { account: guardian.account, device: null });
      }),

    'POST /guardian/:id/decline': async (call) => {
      const proven = await proofOf(deps, call, undefined);
      return withGuardian(call, async (trx, guardian) => {
        const state = stateOf(guardian, clock.now());
        if (state === 'declined') return;
        // If another window has just accepted the invitation, declining prevails.
        if (state === 'active') {
          await proven(trx);
          return leave(trx, guardian);
        }
        if (state !== 'pending') fail('link_expired');
        await decline(trx, guardian);
      });
    },

    'POST /guardian/:id/leave': async (call) => {
      const proven = await proofOf(deps, call, call.body?.code);
      return withGuardian(call, async (trx, guardian) => {
        const state = stateOf(guardian, clock.now());
        if (state === 'left') return;
        if (state !== 'active') fail('guardian_inactive');
        await proven(trx);
        await leave(trx, guardian);
      });
    },
  };
}
