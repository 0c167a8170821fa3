import { brand } from '@porchlight/contract/brand.ts';
import { moodOf } from './device-state.ts';
import { answeredMessage, healthyMessages, lastAlertMessage } from './healthy-messages.ts';
import { openAlerts, type SafeAlert } from './open-alerts.ts';
import { callLabel } from './person-messages.ts';
import type { Fact, FactInput, SafeDevice } from './safe-fact.ts';
import { factsOf, sortedByState } from './safe-facts.ts';
import type { Freshness } from './use-freshness.ts';

export interface SafeSentenceInput {
  /** The devices; undefined if loading failed. */
  devices: SafeDevice[] | undefined;
  alerts: SafeAlert[];
  now: Date;
  freshness: Freshness;
  /** The holder's name, if a guardian is reading. */
  holder?: string;
  /** Whether there is a plan; false leaves only the free protection. */
  plan?: boolean;
  /** Of the account, as its pages list them. */
  incidents?: FactInput['incidents'];
  unreached?: FactInput['unreached'];
}

/** Whether everyone is safe, for the first screen and the guardian's page (P9.4). */
export interface SafeSentence {
  mood: Fact['mood'] | 'safe' | 'empty';
  lit: boolean;
  /** The worst problem, without a full stop. */
  sentence: string;
  title: string;
  /** First the advice, then everything else. */
  lines: string[];
  alert?: { uuid: string; device: string };
  /** The user to call, unless that is the reader; the number may be empty. */
  call?: { label: string; name: string; phone_number: string };
}

/** Stale data is evaluated at its own time, but worded relative to now. */
export function safeSentence({
  devices,
  alerts,
  now,
  freshness: { moment, silent },
  holder,
  plan = true,
  incidents,
  unreached = [],
}: SafeSentenceInput): SafeSentence {
  if (!devices) return unreachedSentence;
  const devicesWithState = sortedByState(devices, alerts, moment);
  const open = openAlerts(alerts, moment);
  const facts = factsOf({ all: devicesWithState, open, now, moment, holder, incidents, unreached });

  const safeDevices = devicesWithState.filter(({ state }) => moodOf[state] === 'safe');
  const healthyTexts = healthyMessages({ calm: safeDevices, now, moment, old: silent !== null, alone: !facts.length, plan });
  const [worstFact, ...otherFacts] = facts;
  if (!worstFact && devices.length)
    return healthySentence([...healthyTexts, lastAlertMessage(devicesWithState, alerts, now)], silent !== null, plan);
  // The first computer comes before everything that matters only when something happens there.
  if (!worstFact || (!devices.length && unreached.includes(worstFact))) return emptySentence(holder, plan, facts);
  const answeredText = open.length ? undefined : answeredMessage(devicesWithState, alerts[0], now);
  const lines = [...paragraphs(worstFact.points, otherFacts), ...(answeredText ? [answeredText] : []), ...healthyTexts];
  const alert = open[0] && { uuid: open[0].uuid, device: open[0].device_id };
  const call = facts.flatMap(({ points }) => points.flatMap(({ who }) => who ?? [])).find(({ kind }) => kind === 'other');
  return {
    mood: worstFact.mood,
    lit: worstFact.mood === 'stopped' && !silent,
    sentence: worstFact.sentence,
    title: worstFact.title,
    lines,
    ...(alert && { alert }),
    ...(call && { call: { label: callLabel(call), name: call.again, phone_number: call.phone_number } }),
  };
}

/** Each problem with its advice; equal advice appears only once. */
function paragraphs(points: Fact['points'], otherFacts: Fact[]): string[] {
  const adviceShown = new Set<string>();
  const once = (todo: string | undefined) => {
    if (!todo || adviceShown.has(todo)) return [];
    adviceShown.add(todo);
    return [todo];
  };
  const allPoints = [
    ...points,
    ...otherFacts.flatMap(({ sentence, points: [firstPoint, ...otherPoints] }) => [
      { text: `${sentence}.`, ...firstPoint },
      ...otherPoints,
    ]),
  ];
  return allPoints.map(({ text, todo }) => [...(text ? [text] : []), ...once(todo)].join(' ')).filter(Boolean);
}

const unreachedSentence: SafeSentence = {
  mood: 'look',
  lit: false,
  sentence: `We can’t reach ${brand.name} right now`,
  title: `We can’t reach ${brand.name}`,
  lines: ["Check that you're online. Computers that are protected stay protected."],
};

function healthySentence(lines: string[], old: boolean, plan: boolean): SafeSentence {
  const sentence = `Everyone ${old ? (plan ? 'was protected' : 'had free protection') : plan ? 'is protected' : 'has free protection'}`;
  return { mood: old ? 'look' : 'safe', lit: !old, sentence, title: sentence, lines };
}

function emptySentence(holder: string | undefined, plan: boolean, unreached: Fact[]): SafeSentence {
  const sentence = holder === undefined ? 'Nobody is protected yet' : `${holder} has no protected computer yet`;
  const todo = plan ? 'Add the first computer. It takes about three minutes.' : 'Choose a plan to add the first computer.';
  return {
    mood: 'empty',
    lit: false,
    sentence,
    title: sentence,
    lines: paragraphs([{ todo: holder === undefined ? todo : 'As soon as there is one, it shows here.' }], unreached),
  };
}
