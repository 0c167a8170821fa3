import { hour } from '@porchlight/contract/time.ts';
import { pausedSiteIdentifier, pausedSiteOf, type UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { beginSpan, type ClockReading, leftOf, type Span, seenSpan } from '../lib/span.ts';
import type { PausedSiteControl } from '../ports.ts';
import { answerTo } from './decide.ts';

const CHECK_MS = 250;
const PERSIST_MS = 5000;
/** More than these within an hour wait for a yes: a caller has the victim press again and again (P16.2). */
const presses_max = 2;

export interface OpenedSite {
  site: string;
  span: Span;
}

export interface PausedSitesDeps {
  file: { load(): Promise<OpenedSite[]>; save(opened: OpenedSite[]): Promise<void> };
  readClock: () => ClockReading;
  answers: () => UnlistedPolicy['answers'];
  signedNow: () => Date;
  /** Whether a press only asks: an incident is open here, remote control is live, or the policy says so. */
  mustAsk: () => boolean;
  /** A site opens, or is paused again. */
  changed: () => void;
  /** Reports a press that opened a site. */
  reportOpened: (site: string) => Promise<void>;
  /** Asks those who may answer. */
  ask: (site: string, imitates: string | null) => Promise<void>;
  failed: (err: unknown) => void;
}

export interface PausedSites extends PausedSiteControl {
  /** The sites that get their address although they are paused. */
  opened(): string[];
  /** Call with each new policy. */
  review(): void;
  close(): void;
}

/** Which paused sites are open for an hour: by a press at this computer, or by a guardian's yes (P16.2). */
export async function pausedSites({ file, readClock, changed, failed, ...deps }: PausedSitesDeps): Promise<PausedSites> {
  /** The presses of the last hour, also of sites that are paused again after a no. */
  let presses = await file.load();
  let saving: Promise<void> = Promise.resolve();
  const asked = new Set<string>();
  let wasOpen = '';
  let persistedAt = readClock().up;
  let checking: NodeJS.Timeout | undefined;

  const save = () => {
    saving = saving.catch(() => {}).then(() => file.save(presses));
    return saving;
  };
  const answerAbout = (site: string) => answerTo(pausedSiteIdentifier(site), deps.answers(), deps.signedNow());
  const pressesWithinHour = (mode: 'soonest' | 'latest') => {
    const reading = readClock();
    return presses.filter(({ span }) => leftOf(span, reading, mode) > 0);
  };
  const opened = () => {
    const byYes = deps.answers().flatMap(({ identifier }) => pausedSiteOf(identifier) ?? []);
    const byPress = pressesWithinHour('soonest').map(({ site }) => site);
    return [...new Set([...byYes.filter((site) => answerAbout(site) === 'yes'), ...byPress.filter((site) => answerAbout(site) !== 'no')])];
  };
  const mustAsk = () => deps.mustAsk() || pressesWithinHour('latest').length >= presses_max;
  const review = () => {
    const open = opened();
    if (open.length || presses.length) checking ??= setInterval(check, CHECK_MS);
    else {
      clearInterval(checking);
      checking = undefined;
    }
    if (open.join() === wasOpen) return;
    wasOpen = open.join();
    changed();
  };
  const check = () => {
    review();
    const reading = readClock();
    if (!presses.length || Math.abs(reading.up - persistedAt) < PERSIST_MS) return;
    persistedAt = reading.up;
    // A restart neither opens a site for longer nor forgets a press.
    presses = pressesWithinHour('latest').map(({ site, span }) => ({ site, span: seenSpan(span, reading, 'latest') }));
    save().catch(failed);
  };
  review();

  return {
    opened,
    stateOf(site) {
      if (opened().includes(site)) return 'opened';
      if (answerAbout(site) === 'no') return 'refused';
      return !mustAsk() ? 'press' : asked.has(site) ? 'asked' : 'ask';
    },
    async press(site, imitates) {
      if (opened().includes(site) || answerAbout(site) === 'no') return;
      if (mustAsk()) {
        asked.add(site);
        return deps.ask(site, imitates);
      }
      const pressed = { site, span: beginSpan(readClock(), hour) };
      // Counted at once, so that a second press at the same moment sees the first.
      presses = [...presses, pressed];
      try {
        await save();
      } catch (err) {
        presses = presses.filter((one) => one !== pressed);
        throw err;
      }
      review();
      await deps.reportOpened(site);
    },
    review,
    close: () => clearInterval(checking),
  };
}
