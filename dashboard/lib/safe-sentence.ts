import { brand } from '@porchlight/contract/brand.ts';
import { moodOf } from './device-state.ts';
import { answeredMessage, healthyMessages, lastAlertMessage } from './healthy-messages.ts';
import { openAlerts, type SafeAlert } from './open-alerts.ts';
import { callLabel } from './person-messages.ts';
import type { Fact, SafeDevice } from './safe-fact.ts';
import { factsOf, judged } from './safe-facts.ts';
import type { Freshness } from './use-freshness.ts';

export interface SafeNews {
  /** Nothing while they could not be loaded. */
  devices: SafeDevice[] | undefined;
  alerts: SafeAlert[];
  now: Date;
  freshness: Freshness;
  /** Whose computers they are, where a guardian reads. */
  holder?: string;
  /** False once the plan is over: the free protection stays. */
  plan?: boolean;
}

/** The answer to the one question of the first screen, and of the guardian's page: is everyone safe? (P9.4) */
export interface SafeSentence {
  mood: Fact['mood'] | 'safe' | 'empty';
  /** Whether the lamp is. */
  lit: boolean;
  /** The worst that is true, without a full stop. */
  sentence: string;
  /** The same for the window's title. */
  title: string;
  /** What to do about it, then all else that is true; each a paragraph. */
  lines: string[];
  /** The worst alert that is still open. */
  alert?: { uuid: string; device: string };
  /** Who may be in trouble, unless that is the reader; the number is empty where nobody gave one. */
  call?: { label: string; name: string; phone_number: string };
}

/** What is old is judged by the moment that it is of, and told in the words of now. */
export function safeSentence({ devices, alerts, now, freshness: { moment, silent }, holder, plan = true }: SafeNews): SafeSentence {
  if (!devices) return unreached;
  const all = judged(devices, alerts, moment);
  const open = openAlerts(alerts, moment);
  const facts = factsOf({ all, open, now, moment, holder });
  const calm = all.filter(({ state }) => moodOf[state] === 'safe');
  const others = healthyMessages({ calm, now, moment, old: silent !== null, alone: !facts.length, plan });
  const [worst, ...rest] = facts;
  if (!worst) return devices.length ? safe([...others, lastAlertMessage(all, alerts, now)], silent !== null, plan) : empty(holder, plan);
  const answered = open.length ? undefined : answeredMessage(all, alerts[0], now);
  const lines = [...paragraphs(worst, rest), ...(answered ? [answered] : []), ...others];
  const alert = open[0] && { uuid: open[0].uuid, device: open[0].device_id };
  const call = facts.flatMap(({ points }) => points.flatMap(({ who }) => who ?? [])).find(({ kind }) => kind === 'other');
  return {
    mood: worst.mood,
    lit: worst.mood === 'stopped' && !silent,
    sentence: worst.sentence,
    title: worst.title,
    lines,
    ...(alert && { alert }),
    ...(call && { call: { label: callLabel(call), name: call.again, phone_number: call.phone_number } }),
  };
}

/** Each thing with what to do about it. What to do is said once. */
function paragraphs(worst: Fact, rest: Fact[]): string[] {
  const told = new Set<string>();
  const once = (todo: string | undefined) => {
    if (!todo || told.has(todo)) return [];
    told.add(todo);
    return [todo];
  };
  const points = [
    ...worst.points,
    ...rest.flatMap(({ sentence, points: [first, ...more] }) => [{ said: `${sentence}.`, ...first }, ...more]),
  ];
  return points.map(({ said, todo }) => [...(said ? [said] : []), ...once(todo)].join(' ')).filter(Boolean);
}

const unreached: SafeSentence = {
  mood: 'look',
  lit: false,
  sentence: `We can’t reach ${brand.name} right now`,
  title: `We can’t reach ${brand.name}`,
  lines: ["Check that you're online. Computers that are protected stay protected."],
};

function safe(lines: string[], old: boolean, plan: boolean): SafeSentence {
  const sentence = `Everyone ${old ? (plan ? 'was protected' : 'had free protection') : plan ? 'is protected' : 'has free protection'}`;
  return { mood: old ? 'look' : 'safe', lit: !old, sentence, title: sentence, lines };
}

function empty(holder: string | undefined, plan: boolean): SafeSentence {
  const sentence = holder === undefined ? 'Nobody is protected yet' : `${holder} has no protected computer yet`;
  const todo = plan ? 'Add the first computer. It takes about three minutes.' : 'Choose a plan to add the first computer.';
  return {
    mood: 'empty',
    lit: false,
    sentence,
    title: sentence,
    lines: [holder === undefined ? todo : 'As soon as there is one, it shows here.'],
  };
}
