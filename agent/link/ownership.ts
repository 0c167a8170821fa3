import { randomUUID } from 'node:crypto';
import { farewells } from '../api/farewells.ts';
import type { ClockReading } from '../lib/span.ts';
import type { AgentEvents, Log, Ownership } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import type { Identity, Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';
import { leaveNotices } from './leave-notice.ts';
import { type LinkingDeps, linking } from './linking.ts';
import { ownershipChanges } from './ownership-changes.ts';
import { ownershipQuestions } from './ownership-question.ts';
import type { Session } from './session.ts';

export interface OwnershipDeps extends Omit<LinkingDeps, 'beforeLinked' | 'questions' | 'inForce'> {
  store: Store;
  inForce: InForce;
  readClock: () => ClockReading;
  random: () => number;
  log: Log;
  session: Pick<Session, 'become' | 'release'>;
  events: AgentEvents;
  /** Throws an error whose message is for the user while the lock is in force and what was typed is no code for it. */
  mayUndo: (typed: string) => Promise<void>;
}

export async function ownershipOf(deps: OwnershipDeps): Promise<Ownership> {
  const { store, inForce, readClock, now, session, log, events } = deps;
  const device = () => inForce.identity?.device.uuid ?? null;
  const failed = (why: unknown) => log(messages.terminal.notWritten('Whose computer this is', why));
  const firstDayOver = () => {
    events.emit('policyChanged');
    events.emit('checkInDue');
  };
  const firstDay = await ownershipChanges({ store, readClock, device, changed: firstDayOver, notWritten: failed });
  inForce.strictFor = firstDay.strictFor;
  inForce.isFreeMinimum = firstDay.isFreeMinimum;
  const questions = ownershipQuestions(() => readClock().up);
  const farewellQueue = farewells({ ...deps, device });

  const holder = () => (inForce.identity && (inForce.policy?.holder ?? inForce.identity.holder)) || null;
  const beforeLinked = async (identity: Identity) => {
    const formerIdentity = inForce.identity;
    if (formerIdentity?.device.uuid === identity.device.uuid) return;
    const before = formerIdentity && {
      identity: { ...formerIdentity, holder: holder() ?? formerIdentity.holder },
      policy: await store.policyDocument(),
    };
    await firstDay.begin({ device: identity.device.uuid, strict: inForce.asksConsent(), before });
    if (formerIdentity) await farewellQueue.add(formerIdentity, 'moved');
  };
  const link = linking({ ...deps, questions, beforeLinked }, async (identity) => {
    await session.become(identity, async () => null);
    inForce.isNew = false;
    farewellQueue.send();
  });

  const release = async (formerIdentity: Identity, kind: 'undone' | 'left', free: 'chosen' | null) => {
    await farewellQueue.add(formerIdentity, kind);
    await session.release(free);
    farewellQueue.send();
  };
  const notice = await leaveNotices({
    ...{ store, readClock, device, failed },
    noticeChanged() {
      events.emit('reportQueued');
      events.emit('checkInDue');
    },
    async leave() {
      if (inForce.identity) await release(inForce.identity, 'left', (await store.freePlan()) && 'chosen');
    },
  });

  inForce.leavesIn = notice.leavesIn;

  return {
    link,
    answer: link.answer,
    question: questions.show,
    holder,
    undoable() {
      const change = firstDay.undoable();
      if (!change) return null;
      return change.before ? { to: 'account', holder: change.before.identity.holder } : { to: 'free' };
    },
    async undo(typed) {
      const [change, formerIdentity] = [firstDay.undoable(), inForce.identity];
      if (!change || !formerIdentity) throw new Error(messages.undo.over);
      await deps.mayUndo(typed);
      const { before } = change;
      if (!before) return release(formerIdentity, 'undone', 'chosen');
      await farewellQueue.add(formerIdentity, 'undone');
      await firstDay.beginAfterUndo(before.identity.device.uuid);
      await session.become(before.identity, async () => {
        await store.setIdentity(before.identity);
        if (before.policy) await store.savePolicy(before.policy);
        await farewellQueue.drop(before.identity.device.uuid);
        return store.policy();
      });
      farewellQueue.send();
    },
    strictFor: firstDay.strictFor,
    leavesIn: notice.leavesIn,
    async stay() {
      if (!(await notice.cancel())) return;
      await store.queueEvent({ uuid: randomUUID(), time: now().toISOString(), reported: { kind: 'stays' } });
      events.emit('reportQueued');
      events.emit('checkInDue');
    },
    async close() {
      await firstDay.close();
      await notice.close();
      await farewellQueue.close();
    },
  };
}
