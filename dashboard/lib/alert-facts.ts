import { inWords } from './dates.ts';
import type { SafeAlert } from './open-alerts.ts';
import { urgentAdvice } from './person-messages.ts';
import { adviceAt, devicesIn, type Fact, type FactsOf, names } from './safe-fact.ts';

/** First what was not stopped, then what was. */
export function alertFacts(news: FactsOf): (Fact | null)[] {
  const stopped = news.open.filter(({ info }) => info.blocked);
  const running = news.open.filter(({ info }) => !info.blocked);
  return [alertFact(news, running), alertFact(news, stopped), unlistedAlert(news)];
}

/** `We stopped AnyDesk on Den PC, today 14:05` */
export function alertMessage(alert: SafeAlert, device: string | undefined, now: Date): string {
  return `${whatWeDid(alert, device)}, ${inWords(new Date(alert.info.last_time), now)}`;
}

function whatWeDid({ info }: SafeAlert, device = 'a computer'): string {
  const name = info.certainty === 'likely' ? `what looks like ${info.name}` : info.name;
  return `${info.blocked ? 'We stopped' : 'We did not stop'} ${info.site ? `a page of ${name}` : name} on ${device}`;
}

function alertFact(news: FactsOf, alerts: SafeAlert[]): Fact | null {
  const { all, now } = news;
  const [first] = alerts;
  if (!first) return null;
  const at = (alert: SafeAlert) => all.find(({ device }) => device.uuid === alert.device_id)?.device;
  const name = at(first)?.name;
  const devices = [...new Set(alerts.flatMap((alert) => at(alert) ?? []))];
  const more = alerts.length > 1 ? `, and ${alerts.length - 1} more` : '';
  return {
    mood: first.info.blocked ? 'stopped' : 'danger',
    sentence: alertMessage(first, name, now) + more,
    title: whatWeDid(first, name),
    points: devices.map((device) => {
      const its = alerts.find((alert) => at(alert) === device);
      return {
        ...(its && its !== first && { said: `${alertMessage(its, device.name, now)}.` }),
        ...adviceAt(device, news, (who) => urgentAdvice(who, !first.info.blocked)),
      };
    }),
  };
}

/** The device says that there was an alert, and it is not among those that were loaded. */
function unlistedAlert(news: FactsOf): Fact | null {
  const { all, open, now } = news;
  const list = devicesIn(all, 'alert').filter(({ uuid }) => !open.some(({ device_id }) => device_id === uuid));
  const [first] = list;
  if (!first) return null;
  const title = `There was an alert on ${names(list)}`;
  return {
    mood: 'stopped',
    sentence: list.length === 1 ? `${title}, ${inWords(new Date(first.last_detection), now)}` : title,
    title,
    points: list.map((device) => adviceAt(device, news, (who) => urgentAdvice(who, false))),
  };
}
