import { alertFacts } from './alert-facts.ts';
import { atMoment, inWords } from './dates.ts';
import { deviceStates, isOn, stateOf } from './device-state.ts';
import * as messages from './fact-messages.ts';
import { limitationAdvice, limitationHeadline, limitationSentences } from './limitation-messages.ts';
import type { SafeAlert } from './open-alerts.ts';
import { outageMessage } from './outage-messages.ts';
import { leavingAdvice, lostAdvice, personAt, unarmedAdvice, unexpectedAdvice, urgentAdvice } from './person-messages.ts';
import { adviceAt, type DeviceWithState, devicesIn, type Fact, type FactInput, names, type SafeDevice } from './safe-fact.ts';

/** Worst state first. */
export function sortedByState(devices: SafeDevice[], alerts: SafeAlert[], moment: Date): DeviceWithState[] {
  const devicesWithState = devices.map((device) => ({ device, state: stateOf(device, moment, alerts) }));
  return devicesWithState.sort((a, b) => deviceStates.indexOf(a.state) - deviceStates.indexOf(b.state));
}

/** Everything that is wrong, worst first (P9.4): protection before reach, which matters only when something happens. */
export function factsOf(input: FactInput): Fact[] {
  const facts = [
    unprotected(input),
    unarmedFact(input),
    lostFact(input),
    ...alertFacts(input),
    ...emergencies(input),
    ...leaving(input),
    ...limited(input),
    expiredFact(input),
    pending(input),
    ...(input.unreached ?? []),
  ];
  return facts.filter((fact) => fact !== null);
}

function unprotected(input: FactInput): Fact | null {
  const unprotectedDevices = devicesIn(input.all, 'uninstalled', 'left', 'stopped', 'paused');
  if (!unprotectedDevices.length) return null;
  const reasons = unprotectedDevices.map((device) => `${device.name} ${device.outage ? outageMessage(device.outage, input.now) : ''}`);
  const one = unprotectedDevices.length === 1;
  const title = messages.notProtected(names(unprotectedDevices), one);
  return {
    mood: 'danger',
    sentence: one ? reasons.join() : title,
    title,
    points: unprotectedDevices.map((device, i) => ({
      ...(!one && { text: `${reasons[i]}.` }),
      ...adviceAt(device, input, unexpectedAdvice),
    })),
  };
}

function unarmedFact({ all, now }: FactInput): Fact | null {
  const unarmed = devicesIn(all, 'unarmed');
  if (!unarmed.length) return null;
  const reasons = unarmed.map((device) => `${device.name} ${device.outage ? outageMessage(device.outage, now) : ''}`);
  const one = unarmed.length === 1;
  const title = messages.notProtected(names(unarmed), one);
  return {
    mood: 'danger',
    sentence: one ? reasons.join() : title,
    title,
    points: unarmed.map((_device, i) => ({ ...(!one && { text: `${reasons[i]}.` }), todo: unarmedAdvice })),
  };
}

function lostFact(input: FactInput): Fact | null {
  const lostDevices = devicesIn(input.all, 'unseen');
  if (!lostDevices.length) return null;
  const lostAt = ({ outage, last_seen }: SafeDevice) => new Date(outage?.since ?? last_seen ?? '');
  const one = lostDevices.length === 1;
  const title = messages.lost(names(lostDevices));
  return {
    mood: 'danger',
    sentence: one ? `${title} ${lostDevices.map((device) => atMoment(lostAt(device), input.now)).join()}` : title,
    title,
    points: lostDevices.map((device) => ({
      ...(!one && { text: messages.lostSince(device.name, inWords(lostAt(device), input.now)) }),
      ...adviceAt(device, input, lostAdvice),
    })),
  };
}

/** A call for help or a guardian's stop that is not over: nothing may have been found, but it is no calm day. */
function emergencies({ incidents = [], holder }: FactInput): Fact[] {
  const open = incidents.filter(({ state, opener }) => state === 'open' && (opener === 'help' || opener === 'guardian_stop'));
  return open.map(({ device, words }) => {
    const [user, sentence] = [personAt(device, holder), words.replace(/\.$/, '')];
    return { mood: 'stopped', sentence, title: sentence, points: [{ who: user, todo: urgentAdvice(user, false) }] };
  });
}

function limited({ all, moment }: FactInput): Fact[] {
  const reporting = devicesIn(all, 'not_stopped', 'alert', 'leaving', 'limited');
  return reporting.flatMap((device) => {
    const { limitations = [], outage } = device;
    if (!limitations.length) return [];
    const sentence = limitationHeadline(device.name, limitations, !outage && isOn(device, moment));
    const todo = [...limitationSentences(limitations.slice(1)), limitationAdvice(limitations)].join(' ');
    return { mood: 'look', sentence, title: sentence, points: [{ todo }] };
  });
}

function leaving({ all, now, moment, holder }: FactInput): Fact[] {
  const installedDevices = all.filter(({ state }) => !['left', 'uninstalled', 'expired', 'pending'].includes(state));
  return installedDevices.flatMap(({ device }) => {
    if (!device.leaves || new Date(device.leaves) <= moment) return [];
    const title = messages.leaving(device.name);
    const user = personAt(device, holder);
    const sentence = `${title} ${atMoment(new Date(device.leaves), now)}`;
    return { mood: 'look', sentence, title, points: [{ who: user, todo: leavingAdvice(user) }] };
  });
}

function expiredFact({ all, holder }: FactInput): Fact | null {
  const expiredDevices = devicesIn(all, 'expired');
  const one = expiredDevices.length === 1;
  const title = messages.expired(names(expiredDevices), one);
  return waitingFact(expiredDevices, title, holder === undefined ? messages.expiredTodo(one) : '');
}

function pending({ all, holder }: FactInput): Fact | null {
  const pendingDevices = devicesIn(all, 'pending');
  const one = pendingDevices.length === 1;
  const title = messages.pending(names(pendingDevices), one);
  return waitingFact(pendingDevices, title, holder === undefined ? messages.pendingTodo(one) : '');
}

/** `todo`: omitted for a guardian, who has neither the link nor the code. */
function waitingFact(waitingDevices: SafeDevice[], title: string, todo: string): Fact | null {
  if (!waitingDevices.length) return null;
  const one = waitingDevices.length === 1;
  return {
    mood: 'look',
    sentence: title,
    title,
    points: [{ todo: todo ? messages.untilThen(todo, one) : messages.notYet(one) }],
  };
}
