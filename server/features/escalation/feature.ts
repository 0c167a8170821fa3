import type { Kernel } from '../../kernel.ts';
import { atComputer } from '../../texts/at-computer.ts';
import { type CallRuleDeps, guardianCallRules, personCallRules } from './call-rules.ts';
import { type EscalationDeps, escalations } from './escalations.ts';
import { escalationPeople, type PeopleDeps, type UserAt } from './people.ts';
import { escalationStore } from './store.ts';
import { textReplies } from './text-replies.ts';
import { escalationOnPage } from './view.ts';

interface EscalationAsks
  extends Pick<EscalationDeps, 'incidentOf' | 'lockedIncident' | 'placeCall' | 'mayAnswer' | 'agreedNumber' | 'deviceWords' | 'noteOnIt'>,
    PeopleDeps,
    Pick<CallRuleDeps, 'hasProvenPhone' | 'hasStopped'> {}

/** Nobody answered: reminders, and calls one after the other (P11.1). */
export function escalationFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'notify' | 'limit' | 'events' | 'settings' | 'nameOf'>,
  asks: EscalationAsks,
) {
  const { db, clock, events, settings } = kernel;
  const store = escalationStore(db, clock);
  const people = escalationPeople(asks);
  const steps = escalations({
    ...{ ...kernel, ...asks, ...people, store },
    calls: settings.calls,
    answered: (trx, { account, device }) => events.emit(trx, 'policy_changed', { account, device }),
  });
  events.on('incident_opened', steps.opened);
  const userAt: UserAt = async ({ account, device, device_name }) => {
    const { person } = await asks.deviceWords(db, account, device);
    return atComputer(person, device_name, await kernel.nameOf(account));
  };
  const rules = { ...asks, db, store, escalations: steps, userAt };
  return {
    ports: {
      isEscalating: steps.isEscalating,
      onIt: steps.onIt,
      escalationOnPage: escalationOnPage({ store, escalations: steps }),
      guardianCalls: guardianCallRules(rules),
      personCalls: personCallRules(rules),
      textReplies: textReplies({ ...rules, ...people, limit: kernel.limit }),
    },
    jobs: { escalation: steps.job },
  };
}
