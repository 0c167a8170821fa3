import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { after, type Clock } from '../lib/clock.ts';
import type { ClaimPermission } from './lane.ts';
import { domainOf, type Unsent } from './unsent.ts';

/**
 * `final`: the job is given up; `back_off`: the job loses an attempt and waits its own interval; `soon`: waits briefly, and no attempt
 * counts; `away`: waits for the carrier, and no attempt counts.
 */
export type Verdict = 'final' | 'back_off' | 'soon' | 'away';

/** The carrier accepts no messages. `reason`: for the operator. */
export interface Away {
  since: Date;
  reason: string;
}

export interface Carrier {
  /** Permission to claim jobs; null while the carrier is away and the next probe is not due. */
  turn(): ClaimPermission | null;
  /** Called when a job begins. The job's result goes to the returned object. */
  begin(recipient: string | null): Sending;
  /** Domains whose servers do not answer clearly. */
  slowDomains: ReadonlySet<string>;
  away(): Away | null;
  close(): void;
}

export interface Sending {
  accepted(): void;
  /**
   * `failing_since`: null at the job's first failure. `givenUp`: jobs given up before it was clear that the carrier may refuse everybody;
   * to be retried after the wait of `soon`.
   */
  failed(err: Unsent, job: string, failing_since: Date | null): { verdict: Verdict; givenUp: string[] };
}

export interface CarrierDeps {
  clock: Clock;
  /** The carrier may accept mail again, or a probe is due: waiting lanes should claim jobs. */
  wake(): void;
  onUnusedTurn(): void;
  /** Called after each failed attempt while the carrier is away, and with null once it accepts mail again. */
  onChange(away: Away | null, isFirst: boolean): void;
}

/**
 * If the mail server accepts other mail, the problem is the recipient. If it refuses everybody, the problem is the server or our settings:
 * then no job is given up; one job at a time probes the server, and the others wait.
 */
export function newCarrier({ clock, wake, onUnusedTurn, onChange }: CarrierDeps): Carrier {
  const { carrier_probe_first, carrier_probe_later, carrier_probe_often, others_simultaneous } = serverLimits;
  let away: (Away & { next: Date }) | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** `accepted`: number of messages. `newestAccepted`: the last messages accepted for two different recipients. */
  let accepted = 0;
  let newestAccepted: { to: string | null; time: Date; nth: number }[] = [];
  /** Recipients refused, and jobs given up, since the last accepted message. */
  let refusedRecipients = new Set<string>();
  let givenUp: string[] = [];
  let isStateStored = false;
  const slowDomains = new Set<string>();

  const interval = (since: Date) =>
    clock.now().getTime() - since.getTime() < carrier_probe_often ? carrier_probe_first : carrier_probe_later;
  const wakeIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(wake, ms);
  };
  const setAway = (reason: string) => {
    const now = clock.now();
    const since = away?.since ?? now;
    const isFirst = away === null;
    // Attempts that ran in parallel with the first failed attempt do not postpone the probe.
    away = { since, reason, next: away?.next ?? after(now, carrier_probe_first) };
    wakeIn(Math.max(away.next.getTime() - now.getTime(), 0));
    onChange(away, isFirst);
  };

  return {
    turn() {
      if (!away) return { probe: false, unused: () => {} };
      const now = clock.now();
      if (now < away.next) return null;
      const previousProbe = away.next;
      away.next = after(now, interval(away.since));
      wakeIn(interval(away.since));
      return {
        probe: true,
        unused() {
          if (away) away.next = previousProbe;
          onUnusedTurn();
        },
      };
    },

    begin(recipient) {
      const [acceptedBefore, since] = [accepted, clock.now()];
      return {
        accepted() {
          accepted += 1;
          newestAccepted = [
            { to: recipient, time: clock.now(), nth: accepted },
            ...newestAccepted.filter((one) => one.to !== recipient),
          ].slice(0, 2);
          refusedRecipients = new Set();
          givenUp = [];
          if (recipient !== null) slowDomains.delete(domainOf(recipient));
          if (away || !isStateStored) onChange(null, away !== null);
          isStateStored = true;
          const wasAway = away !== null;
          away = null;
          clearTimeout(timer);
          if (wasAway) wake();
        },

        failed(err, job, failing_since) {
          const otherMessage = newestAccepted.find((one) => one.to !== err.to);
          if (err.about === 'unclear') slowDomains.add(domainOf(err.to));
          if (err.about !== 'server') refusedRecipients.add(err.to);
          const verdict = verdictOf(err, {
            accepted_since: accepted > acceptedBefore,
            others_accepted:
              otherMessage !== undefined &&
              (otherMessage.nth > acceptedBefore ||
                otherMessage.time >= after(since, -others_simultaneous) ||
                (failing_since !== null && otherMessage.time >= failing_since)),
            failed_before: failing_since !== null,
            recipients: refusedRecipients.size,
            domains: new Set([...refusedRecipients].map(domainOf)).size,
          });
          if (verdict === 'final') givenUp.push(job);
          if (verdict === 'away') setAway(reasonInWords(err));
          else if (away && err.about === 'address') {
            // The failure is about one recipient, so the next job need not wait for the next probe.
            away.next = clock.now();
            wake();
          }
          if (verdict !== 'away' && !(err.about === 'address' && verdict === 'soon')) return { verdict, givenUp: [] };
          const wronglyGivenUp = givenUp;
          givenUp = [];
          return { verdict, givenUp: wronglyGivenUp };
        },
      };
    },

    slowDomains,
    away: () => away,
    close: () => clearTimeout(timer),
  };
}

interface Evidence {
  /** Another message was accepted since this job began. */
  accepted_since: boolean;
  /** Another recipient's message was accepted at about the same time, or since this job first failed. */
  others_accepted: boolean;
  failed_before: boolean;
  /** Refused in a row, this job included. */
  recipients: number;
  domains: number;
}

/** Follows the table of decision 22. */
function verdictOf({ about }: Unsent, { accepted_since, others_accepted, failed_before, recipients, domains }: Evidence): Verdict {
  if (about === 'server') return accepted_since ? 'soon' : 'away';
  // Anybody can invent three unknown addresses: they must never pause the carrier for others.
  if (about === 'address') return recipients > 2 && !others_accepted ? 'soon' : 'final';
  if (about === 'recipient') return domains > 1 && recipients > 4 ? 'away' : 'back_off';
  if (others_accepted) return about === 'mail' && failed_before ? 'final' : 'back_off';
  const concernsEverybody = about === 'us' || about === 'mail' ? recipients > 1 : domains > 1 || recipients > 4;
  if (concernsEverybody) return 'away';
  return about !== 'mail' && failed_before ? 'soon' : 'back_off';
}

function reasonInWords({ about, facts: { status, code, command } }: Unsent): string {
  const summary = [status, code, command && `at ${command}`].filter(Boolean).join(' ') || 'no answer';
  if (status === undefined) return `it cannot be reached or does not answer (${summary})`;
  return about === 'server'
    ? `it lets us send nothing (${summary}); check the password, the address and the account`
    : `it refuses everyone we write to (${summary}); check whether it lets us send, and from this sender`;
}
