/** An incident event of the kinds `opened`, `reopened` and `over`. `what`: of the first two, the opener. `person`: of a guardian's press. */
import { day } from '@porchlight/contract/time.ts';
export interface OpeningEvent {
  kind: string;
  time: Date;
  what: string | null;
  person: string | null;
}

/**
 * Openers after this time belong to the span that `reopened` began; null: there was one span only. A report may arrive late, so its opener
 * may be earlier than `reopened`. An earlier span ended at `over`, or a day after its last opener.
 */
export function beginOfSpan(reopened: Date | null, over: Date | null): Date | null {
  if (reopened === null) return null;
  return new Date(Math.max(reopened.getTime() - day, over !== null && over <= reopened ? over.getTime() : 0));
}

/** The openers of each time that an incident was open, from its events in the order of time. */
export function spansOf(events: OpeningEvent[]): OpeningEvent[][] {
  const openers = events.filter(({ kind }) => kind !== 'over');
  const begins = events
    .filter(({ kind }) => kind === 'reopened')
    .map(({ time }) => {
      const over = events.findLast((event) => event.kind === 'over' && event.time <= time)?.time ?? null;
      return beginOfSpan(time, over) ?? time;
    });
  const bounds = [Number.NEGATIVE_INFINITY, ...begins.map((begin) => begin.getTime()), Number.POSITIVE_INFINITY];
  return bounds.slice(0, -1).map((begin, n) => {
    const end = bounds[n + 1] ?? Number.POSITIVE_INFINITY;
    return openers.filter(({ time }) => time.getTime() > begin && time.getTime() <= end);
  });
}

/** The guardian whose presses of *Stop this* were the only openers of a span; null if there was another (P10.6). */
export function onlyPresser(span: OpeningEvent[]): string | null {
  const [first] = span;
  const isTheirs = (event: OpeningEvent) => event.what === 'guardian_stop' && event.person === first?.person;
  return first && span.every(isTheirs) ? first.person : null;
}

/** Whether a guardian's presses alone opened all open incidents, of which there is one at least. */
export function pressedAlone(open: OpeningEvent[][], guardian: string): boolean {
  return open.length > 0 && open.every((events) => onlyPresser(spansOf(events).at(-1) ?? []) === guardian);
}

/**
 * When this guardian's press last opened an incident that nothing else prolonged, if nothing but guardians' presses opened one of the
 * account's incidents since; else null.
 */
export function lastLonePress(incidents: OpeningEvent[][], guardian: string): Date | null {
  const lone = incidents.flatMap(spansOf).filter((span) => onlyPresser(span) === guardian);
  const times = lone.flatMap(([first]) => (first ? [first.time.getTime()] : []));
  if (!times.length) return null;
  const pressed = new Date(Math.max(...times));
  const trouble = incidents.flat().some(({ kind, what, time }) => kind !== 'over' && what !== 'guardian_stop' && time > pressed);
  return trouble ? null : pressed;
}
