import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { after, type Clock } from '../lib/clock.ts';
import type { Turn } from './lane.ts';
import { domainOf, type Unsent } from './unsent.ts';

/**
 * What is to become of a job that failed: `final`, it is never sent; `back_off`, it has a try less and waits its own time; `soon`, it waits a little
 * and no try is counted; `away`, the carrier takes nothing, so that the job waits until it does, and no try is counted.
 */
export type Verdict = 'final' | 'back_off' | 'soon' | 'away';

/** What is known of a carrier that takes nothing. `reason`: for an operator, in words. */
export interface Away {
  since: Date;
  reason: string;
}

export interface Carrier {
  /** Leave to take jobs; null while the carrier is away and it is not yet time to try again. */
  turn(): Turn | null;
  /** Call when a job begins; answers how it is judged when it fails. */
  begin(to: string | null): Sending;
  isSlow(domain: string): boolean;
  away(): Away | null;
  close(): void;
}

export interface Sending {
  taken(): void;
  /**
   * `failing_since`: of this job, null at its first failure. `buried`: it was final before it was clear that everyone may be refused, and is to wait
   * as long as `soon` before it is tried again.
   */
  failed(err: Unsent, job: string, failing_since: Date | null): { verdict: Verdict; buried: string[] };
}

export interface CarrierDeps {
  clock: Clock;
  /** The carrier may take mail again, or is to be tried: whoever waits may look. */
  wake(): void;
  /** A turn was not used. */
  passOn(): void;
  /** It is away, each time that a try failed; null once it takes mail again. */
  changed(away: Away | null, first: boolean): void;
}

/**
 * Judges failures by what happens to others at the same carrier. A mail server that refuses one person and takes other mail says something about that
 * person; one that takes nobody's says something about itself or about us, and that is no reason to give anything up: then one job at a time tries,
 * and the others wait and lose nothing.
 */
export function newCarrier({ clock, wake, passOn, changed }: CarrierDeps): Carrier {
  const { carrier_probe, carrier_probe_later, carrier_probe_often, others_lately } = serverLimits;
  let away: (Away & { next: Date }) | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Counts what was taken; the newest of each of two recipients, so that there is one that is somebody else. */
  let taken = 0;
  let newest: { to: string | null; time: Date; nth: number }[] = [];
  /** Who was refused since something was taken last, and what was given up then. */
  let refused = new Set<string>();
  let buried: string[] = [];
  let known = false;
  const slow = new Set<string>();

  const interval = (since: Date) => (clock.now().getTime() - since.getTime() < carrier_probe_often ? carrier_probe : carrier_probe_later);
  const wakeIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(wake, ms);
  };
  const isAway = (reason: string) => {
    const now = clock.now();
    const since = away?.since ?? now;
    const first = away === null;
    // A try that was under way when the first one failed is no reason to wait longer.
    away = { since, reason, next: away?.next ?? after(now, carrier_probe) };
    wakeIn(Math.max(away.next.getTime() - now.getTime(), 0));
    changed(away, first);
  };

  return {
    turn() {
      if (!away) return { probe: false, unused: () => {} };
      const now = clock.now();
      if (now < away.next) return null;
      const before = away.next;
      away.next = after(now, interval(away.since));
      wakeIn(interval(away.since));
      return {
        probe: true,
        unused() {
          if (away) away.next = before;
          passOn();
        },
      };
    },

    begin(to) {
      const [begun, since] = [taken, clock.now()];
      return {
        taken() {
          taken += 1;
          newest = [{ to, time: clock.now(), nth: taken }, ...newest.filter((one) => one.to !== to)].slice(0, 2);
          refused = new Set();
          buried = [];
          if (to !== null) slow.delete(domainOf(to));
          if (away || !known) changed(null, away !== null);
          known = true;
          const back = away !== null;
          away = null;
          clearTimeout(timer);
          if (back) wake();
        },

        failed(err, job, failing_since) {
          const other = newest.find((one) => one.to !== err.to);
          if (err.about === 'unclear') slow.add(domainOf(err.to));
          if (err.about !== 'server') refused.add(err.to);
          const verdict = judge(err, {
            since_begun: taken > begun,
            others:
              other !== undefined &&
              (other.nth > begun || other.time >= after(since, -others_lately) || (failing_since !== null && other.time >= failing_since)),
            again: failing_since !== null,
            people: refused.size,
            domains: new Set([...refused].map(domainOf)).size,
          });
          if (verdict === 'final') buried.push(job);
          if (verdict === 'away') isAway(reasonInWords(err));
          else if (away && err.about === 'address') {
            // It was judged by itself, and says nothing about the carrier: the next one need not wait for the time of the next probe.
            away.next = clock.now();
            wake();
          }
          if (verdict !== 'away' && !(err.about === 'address' && verdict === 'soon')) return { verdict, buried: [] };
          const wrongly = buried;
          buried = [];
          return { verdict, buried: wrongly };
        },
      };
    },

    isSlow: (domain) => slow.has(domain),
    away: () => away,
    close: () => clearTimeout(timer),
  };
}

interface Evidence {
  /** Something was taken since this one began. */
  since_begun: boolean;
  /** Somebody else's was taken at about the same time, or since this one failed first. */
  others: boolean;
  /** It failed before. */
  again: boolean;
  /** How many were refused in a row, this one among them, and of how many domains. */
  people: number;
  domains: number;
}

/** The table of decision 22. */
function judge({ about }: Unsent, { since_begun, others, again, people, domains }: Evidence): Verdict {
  if (about === 'server') return since_begun ? 'soon' : 'away';
  // Anybody can make up three addresses that do not exist: they never close the carrier for the others.
  if (about === 'address') return people > 2 && !others ? 'soon' : 'final';
  if (about === 'recipient') return domains > 1 && people > 4 ? 'away' : 'back_off';
  if (others) return about === 'mail' && again ? 'final' : 'back_off';
  const everyone = about === 'us' || about === 'mail' ? people > 1 : domains > 1 || people > 4;
  if (everyone) return 'away';
  return about !== 'mail' && again ? 'soon' : 'back_off';
}

/** For an operator: what to look at. */
function reasonInWords({ about, facts: { status, code, command } }: Unsent): string {
  const said = [status, code, command && `at ${command}`].filter(Boolean).join(' ') || 'no answer';
  if (status === undefined) return `it cannot be reached or does not answer (${said})`;
  return about === 'server'
    ? `it lets us send nothing (${said}); check the password, the address and the account`
    : `it refuses everyone we write to (${said}); check whether it lets us send, and from this sender`;
}
