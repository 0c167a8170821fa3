import { randomUUID } from 'node:crypto';
import { farewells } from '../api/farewells.ts';
import type { ClockReading } from '../lib/span.ts';
import type { AgentEvents, Log, Ownership } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import type { Identity, Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';
import { notices } from './leave-notice.ts';
import { type LinkingDeps, linking } from './linking.ts';
import { changes } from './ownership-changes.ts';
import { questions } from './ownership-question.ts';
import type { Session } from './session.ts';

export interface OwnershipDeps extends Omit<LinkingDeps, 'becoming' | 'questions' | 'inForce'> {
  store: Store;
  inForce: InForce;
  readClock: () => ClockReading;
  random: () => number;
  log: Log;
  session: Pick<Session, 'become' | 'release'>;
  events: AgentEvents;
}

export async function ownershipOf(deps: OwnershipDeps): Promise<Ownership> {
  const { store, inForce, readClock, now, session, log, events } = deps;
  const device = () => inForce.identity?.device.uuid ?? null;
  const failed = (why: unknown) => log(messages.terminal.notWritten('Whose computer this is', why));
  const firstDayOver = () => {
    events.emit('policyChanged');
    events.emit('checkInDue');
  };
  const first = await changes({ store, readClock, device, changed: firstDayOver, notWritten: failed });
  inForce.strictFor = first.strictFor;
  const asking = questions(() => readClock().up);
  const gone = farewells({ ...deps, device });

  const holder = () => (inForce.identity && (inForce.policy?.holder ?? inForce.identity.holder)) || null;
  const becoming = async (identity: Identity) => {
    const was = inForce.identity;
    if (was?.device.uuid === identity.device.uuid) return;
    const before = was && { identity: { ...was, holder: holder() }, policy: await store.policyDocument() };
    await first.begin({ device: identity.device.uuid, strict: inForce.asks(), before });
    if (was) await gone.add(was, 'moved');
  };
  const link = linking({ ...deps, questions: asking, becoming }, async (identity) => {
    await session.become(identity, async () => null);
    inForce.isNew = false;
    gone.send();
  });

  const release = async (was: Identity, kind: 'undone' | 'left', free: 'chosen' | null) => {
    await gone.add(was, kind);
    await session.release(free);
    gone.send();
  };
  const notice = await notices({
    ...{ store, readClock, device, failed },
    begun() {
      events.emit('reportQueued');
      events.emit('checkInDue');
    },
    async leave() {
      // The plan from before this computer had an account.
      if (inForce.identity) await release(inForce.identity, 'left', (await store.freePlan()) && 'chosen');
    },
  });

  inForce.leavesIn = notice.leavesIn;

  return {
    link,
    answer: link.answer,
    question: asking.show,
    holder,
    undoable() {
      const change = first.undoable();
      if (!change) return null;
      return change.before ? { to: 'account', holder: change.before.identity.holder } : { to: 'free' };
    },
    async undo() {
      const [change, was] = [first.undoable(), inForce.identity];
      if (!change || !was) throw new Error(messages.undo.over);
      const { before } = change;
      if (!before) return release(was, 'undone', 'chosen');
      await gone.add(was, 'undone');
      await session.become(before.identity, async () => {
        await store.setIdentity(before.identity);
        if (before.policy) await store.keepPolicy(before.policy);
        await gone.drop(before.identity.device.uuid);
        return store.policy();
      });
      gone.send();
    },
    strictFor: first.strictFor,
    leavesIn: notice.leavesIn,
    async stay() {
      if (!(await notice.takeBack())) return;
      await store.queueNews({ uuid: randomUUID(), time: now().toISOString(), said: { kind: 'stays' } });
      events.emit('reportQueued');
      events.emit('checkInDue');
    },
    async close() {
      await first.close();
      await notice.close();
      await gone.close();
    },
  };
}
