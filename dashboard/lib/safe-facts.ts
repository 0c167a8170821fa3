import { alertFacts } from './alert-facts.ts';
import { inWords } from './dates.ts';
import { deviceStates, stateOf } from './device-state.ts';
import type { SafeAlert } from './open-alerts.ts';
import { outageMessage } from './outage-messages.ts';
import { leavingAdvice, lostAdvice, personAt, unexpectedAdvice } from './person-messages.ts';
import { adviceAt, type DeviceWithState, devicesIn, type Fact, type FactsOf, names, type SafeDevice } from './safe-fact.ts';

/** How each device is, the worst first. */
export function judged(devices: SafeDevice[], alerts: SafeAlert[], moment: Date): DeviceWithState[] {
  const all = devices.map((device) => ({ device, state: stateOf(device, moment, alerts) }));
  return all.sort((a, b) => deviceStates.indexOf(a.state) - deviceStates.indexOf(b.state));
}

/** Everything that is true and not well, the worst first (P9.4). */
export function factsOf(news: FactsOf): Fact[] {
  const facts = [unprotected(news), lost(news), ...alertFacts(news), ...leaving(news), expired(news), pending(news)];
  return facts.filter((fact) => fact !== null);
}

function unprotected(news: FactsOf): Fact | null {
  const list = devicesIn(news.all, 'uninstalled', 'left', 'stopped', 'paused');
  if (!list.length) return null;
  const reasons = list.map((device) => `${device.name} ${device.silence ? outageMessage(device.silence, news.now) : ''}`);
  const one = list.length === 1;
  const title = `${names(list)} ${one ? 'is' : 'are'} not protected`;
  return {
    mood: 'danger',
    sentence: one ? reasons.join() : title,
    title,
    points: list.map((device, i) => ({ ...(!one && { said: `${reasons[i]}.` }), ...adviceAt(device, news, unexpectedAdvice) })),
  };
}

function lost(news: FactsOf): Fact | null {
  const list = devicesIn(news.all, 'unseen');
  if (!list.length) return null;
  const since = ({ silence, last_seen }: SafeDevice) => inWords(new Date(silence?.since ?? last_seen ?? ''), news.now);
  const one = list.length === 1;
  const title = `We lost contact with ${names(list)}`;
  return {
    mood: 'danger',
    sentence: one ? `${title} ${list.map(since).join()}` : title,
    title,
    points: list.map((device) => ({
      ...(!one && { said: `${device.name} has been out of contact since ${since(device)}.` }),
      ...adviceAt(device, news, lostAdvice),
    })),
  };
}

function leaving({ all, now, moment, holder }: FactsOf): Fact[] {
  const here = all.filter(({ state }) => !['left', 'uninstalled', 'expired', 'pending'].includes(state));
  return here.flatMap(({ device }) => {
    if (!device.leaves || new Date(device.leaves) <= moment) return [];
    const title = `${device.name} is set to leave this account`;
    const who = personAt(device, holder);
    const sentence = `${title} ${inWords(new Date(device.leaves), now)}`;
    return { mood: 'look', sentence, title, points: [{ who, todo: leavingAdvice(who) }] };
  });
}

function expired({ all, holder }: FactsOf): Fact | null {
  const list = devicesIn(all, 'expired');
  const one = list.length === 1;
  const title = one ? `The code for ${names(list)} has expired` : `The codes for ${names(list)} have expired`;
  const todo = one ? 'Make a new code to install it.' : 'Make new codes to install them.';
  return waiting(list, title, holder === undefined ? todo : '');
}

function pending({ all, holder }: FactsOf): Fact | null {
  const list = devicesIn(all, 'pending');
  const one = list.length === 1;
  const title = `${names(list)} ${one ? 'is' : 'are'} waiting to be installed`;
  const todo = one ? 'Open the link on it, or type the code.' : 'On each, open its link or type its code.';
  return waiting(list, title, holder === undefined ? todo : '');
}

/** `todo`: nothing for a guardian, who has neither the link nor the code. */
function waiting(list: SafeDevice[], title: string, todo: string): Fact | null {
  if (!list.length) return null;
  const they = list.length === 1 ? 'it isn’t' : 'they aren’t';
  const yet = list.length === 1 ? 'It isn’t protected yet.' : 'They aren’t protected yet.';
  return { mood: 'look', sentence: title, title, points: [{ todo: todo ? `${todo} Until then ${they} protected.` : yet }] };
}
