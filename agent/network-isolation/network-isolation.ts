import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { KnownAddresses } from '../lib/http.ts';
import { type ClockReading, seenSpan } from '../lib/span.ts';
import type { SystemNetwork } from '../os/port.ts';
import type { Log, NetworkIsolationControl } from '../ports.ts';
import type { IsolationFile, StoredIsolation } from '../state/isolation-file.ts';
import { messages as common } from '../ui/messages/messages.ts';
import { hostOf, isolationIn, isolationLeft, socketsOf } from './decide.ts';
import { messages } from './messages.ts';
import { type IsolationReport, isolationReports } from './reports.ts';

const POLL_MS = 250;
/** Together with a poll less than a second, so that what somebody took away is back within a second. */
const VERIFY_MS = 700;
const PERSIST_MS = 5000;
const RETRY_MS = 5000;
/** The cut must not wait for a slow DNS. */
const LOOKUP_MS = 1000;

export interface NetworkIsolationDeps {
  /** Null for an agent that does not run for the whole computer. */
  network: SystemNetwork | null;
  server: string;
  record: IsolationFile;
  /** The signed policy of this device; null while it belongs to no account. */
  policy: () => DevicePolicy | null;
  /** During an uninstall the network is restored and not cut again. */
  isUninstalling: () => Promise<boolean>;
  addresses: Pick<KnownAddresses, 'last' | 'pin' | 'unpin'>;
  resolve?: (host: string) => Promise<string[]>;
  reconnected: () => Promise<void>;
  report: (report: IsolationReport) => Promise<void>;
  readClock: () => ClockReading;
  log: Log;
}

export interface NetworkIsolation extends NetworkIsolationControl {
  changed(): void;
  problems(): string[];
  /** `restore`: false when a successor goes on with the isolation. */
  close(restore: boolean): Promise<void>;
}

const lookUp = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address);
const reasonOf = (err: unknown) => (err instanceof Error ? err.message : String(err));

/** Cuts this computer's internet while the signed policy says so, and never longer (P10.6). */
export async function networkIsolation(deps: NetworkIsolationDeps): Promise<NetworkIsolation> {
  const { network, record, policy, isUninstalling, addresses, readClock, log, resolve = lookUp } = deps;
  const { host, port } = hostOf(deps.server);
  const policyAtStart = policy();
  let current: StoredIsolation | null = await record.load();
  /** The id of the isolation in force; undefined while it is unknown what a former agent, or somebody who changed the firewall, left behind. */
  let inForce: string | null | undefined;
  /** The isolation that was in force here, and how often it was set again. */
  let putBack = { isolation: '', times: 0 };
  let reported: IsolationReport | null = null;
  let verifiedAt = Number.NEGATIVE_INFINITY;
  let problem: string | null = null;
  let [persistedAt, failedAt] = [readClock().up, Number.NEGATIVE_INFINITY];
  let closing = false;
  let work: Promise<void> = Promise.resolve();
  let polling: NodeJS.Timeout | undefined;

  const persist = async (next: StoredIsolation | null) => {
    current = next;
    // What was not written counts until the end of this process; a restart can only shorten it.
    await record.save(next).catch((err: unknown) => log(common.terminal.notWritten('That the internet is cut', err)));
  };
  const fail = (sentence: string) => {
    if (sentence !== problem) log(sentence);
    problem = sentence;
    failedAt = readClock().up;
  };
  const reports = isolationReports(
    async (report) => {
      if (report.put_back > 0) log(messages.putBack(report.put_back));
      await deps
        .report(report)
        .catch((err: unknown) => log(common.terminal.notWritten('That the cut of the internet was taken away', err)));
    },
    () => readClock().up,
  );
  const pin = (known: string[]) => {
    if (!isIP(host))
      addresses.pin(
        host,
        known.map((address) => ({ address, family: isIP(address) })),
      );
  };
  const knownAddresses = async ({ addresses: stored }: StoredIsolation): Promise<string[]> => {
    if (isIP(host)) return [host];
    // DNS is cut already where a former agent was killed, so stored addresses are not looked up again.
    const found = stored.length ? [] : await Promise.race([resolve(host).catch(() => []), sleep(LOOKUP_MS, [], { ref: false })]);
    return [...new Set([...stored, ...found, ...addresses.last(host)])];
  };

  const isolate = async (isolation: StoredIsolation, by: string) => {
    const unavailable = network ? network.unavailable() : messages.notSystem;
    if (unavailable || !network) return fail(unavailable ?? messages.notSystem);
    const known = await knownAddresses(isolation);
    // Persisted before the cut, because a restart finds no DNS.
    await persist({ ...isolation, addresses: known });
    const left = isolationLeft(isolation, readClock());
    if (left === 0) return;
    try {
      await network.isolate(socketsOf(known, port), left);
    } catch (err) {
      return fail(messages.notIsolated(reasonOf(err)));
    }
    pin(known);
    problem = null;
    inForce = isolation.uuid;
    verifiedAt = readClock().up;
    if (putBack.isolation === isolation.uuid) {
      putBack.times++;
      return;
    }
    putBack = { isolation: isolation.uuid, times: 0 };
    log(messages.isolated(by));
  };
  /** Other programs flush the whole firewall when they restart, and a caller may ask for that or switch it off. */
  const verify = async () => {
    verifiedAt = readClock().up;
    if (!(await network?.inForce().catch(() => false))) inForce = undefined;
  };
  const restore = async () => {
    try {
      await network?.restore();
    } catch (err) {
      return fail(messages.notRestored(reasonOf(err)));
    }
    addresses.unpin(host);
    problem = null;
    if (inForce) log(messages.restored);
    inForce = null;
  };

  const check = async () => {
    if (closing) return;
    const [signed, reading] = [policy(), readClock()];
    const next = isolationIn(signed, current, reading, signed === policyAtStart);
    const hasChanged = next !== current;
    const isDue = current !== null && Math.abs(reading.up - persistedAt) >= PERSIST_MS;
    if (hasChanged || isDue) {
      persistedAt = reading.up;
      await persist(next && { ...next, span: seenSpan(next.span, reading, 'soonest') });
    }
    const isWanted = isolationLeft(current, reading) > 0 && !(await isUninstalling());
    if (isWanted && inForce === current?.uuid && Math.abs(reading.up - verifiedAt) >= VERIFY_MS) await verify();
    const mayTry = problem === null || hasChanged || Math.abs(reading.up - failedAt) >= RETRY_MS;
    if (isWanted && inForce !== current?.uuid && mayTry && current) await isolate(current, signed?.isolation?.by ?? '');
    if (!isWanted && inForce !== null && mayTry) await restore();
    if (!isWanted && inForce === null) problem = null;
    if (isWanted && current)
      reported = {
        ...{ isolation: current.uuid, in_force: inForce === current.uuid },
        put_back: putBack.isolation === current.uuid ? putBack.times : 0,
      };
    if (reported) await reports.consider(reported, !isWanted);
    if (!isWanted) reported = null;
    poll();
  };
  const inOrder = <T>(step: () => Promise<T>): Promise<T> => {
    const turn = work.then(step);
    work = turn.then(
      () => {},
      () => {},
    );
    return turn;
  };
  const consider = () => void inOrder(check).catch((err: unknown) => fail(messages.notIsolated(reasonOf(err))));
  /** The timer runs only during an isolation, so that it does not wake the computer needlessly. */
  const poll = () => {
    clearTimeout(polling);
    const hasWork = isolationLeft(current, readClock()) > 0 || inForce !== null;
    if (hasWork && !closing) polling = setTimeout(consider, POLL_MS);
  };

  // A restarted agent must reach its server although the kernel still drops what it asks DNS.
  if (isolationLeft(current, readClock()) > 0 && current?.addresses.length) pin(current.addresses);

  return {
    changed: consider,
    state() {
      const [isolation, reading] = [policy()?.isolation, readClock()];
      const left = isolationLeft(current, reading);
      if (!isolation || !inForce || isolation.uuid !== inForce || left === 0) return null;
      return { by: isolation.by, until: new Date(reading.wall + left), may_end: isolation.may_end };
    },
    end: () =>
      inOrder(async () => {
        const isolation = policy()?.isolation;
        if (!current || isolationLeft(current, readClock()) === 0) return;
        if (isolation?.uuid !== current.uuid || !isolation.may_end) throw new Error(messages.mayNotEnd);
        await persist({ ...current, ended: true });
        await restore();
        log(messages.ended);
        await deps.reconnected().catch((err: unknown) => log(common.terminal.notWritten('That the internet works again', err)));
        poll();
      }),
    problems: () => [...new Set([network?.unavailable() ?? null, problem].filter((one) => one !== null))],
    async close(restoring) {
      closing = true;
      clearTimeout(polling);
      await inOrder(async () => {
        if (restoring) await restore();
      });
    },
  };
}
