import { randomUUID } from 'node:crypto';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import type { CompiledSet } from '@porchlight/definitions/match.ts';
import type { RemovalPolicy } from '@porchlight/definitions/remove-shapes.ts';
import { within } from '../lib/within.ts';
import type { Os } from '../os/port.ts';
import type { ProtectStored } from '../ports.ts';
import { type Found, isBlocked, keyOf, type ScanReport } from '../state/stored-findings.ts';
import { openScanNotes } from './notes.ts';

const hour = 3_600_000;

/** What a scan goes by. */
export interface ActiveRules {
  /** Of the device that this computer is; null for the free plan. */
  device: string | null;
  rules: RemovalPolicy;
  set: CompiledSet;
  version: number;
}

export interface DiskScannerDeps {
  os: Pick<Os, 'listing'>;
  folder: string;
  protectStored: ProtectStored;
  quarantine: {
    undo(uuid: string): Promise<{ done: true } | { done: false; why: NonNullable<Found['why']> }>;
    held(): Promise<{ uuid: string }[]>;
    deleteOld(): Promise<void>;
    close(): Promise<void>;
  };
  now: () => Date;
  /** Null while a part of them is missing. */
  activeRules: () => ActiveRules | null;
  foundNew: (found: Found[]) => void;
  queued: () => void;
  failed: (err: unknown) => void;
  /**
   * How long `close` waits for a running scan, in milliseconds: a user whose file is worked on may delay it, and a crash at any point loses nothing.
   */
  timeout: number;
}

export type RestoreFailure = NonNullable<Found['why']>;

export interface DiskScanner {
  /** Scans when the disk was not scanned yet by the rules and definitions in force. */
  consider(): void;
  state(): { looking: boolean; found: Found[] };
  /** Restores one entry, which is left alone from then on. `why`: when not all of it is restored. */
  putBack(key: string): Promise<{ name: string; why: RestoreFailure | null }>;
  /** The reports of this device; those of an earlier device are dropped. */
  reports(device: string): Promise<AgentScan[]>;
  acknowledged(uuid: string): Promise<void>;
  /** Resolves when the running scan is over, or at the timeout. */
  close(): Promise<void>;
}

/** Scans the disk once, and again whenever other rules or definitions are in force: what is on it already is found too (P4.1). */
export async function diskScanner(deps: DiskScannerDeps): Promise<DiskScanner> {
  const { quarantine, now } = deps;
  const notes = await openScanNotes(deps.folder);
  let under: Promise<void> | null = null;
  let again = false;
  let closed = false;

  const look = async (activeRules: ActiveRules, key: string): Promise<void> => {
    const listing = await deps.os.listing();
    const before = notes.now();
    const restored = new Set(before.asked);
    const all = await deps.protectStored(listing, activeRules.rules, activeRules.set, (one) => restored.has(keyOf(one)));
    const told = new Set(before.found.map((one) => `${keyOf(one)} ${one.did}`));
    const news = all.filter((one) => one.held.length > 0 || !told.has(`${keyOf(one)} ${one.did}`));
    const renewed = new Set(news.map(keyOf));
    const report: ScanReport[] =
      news.length && activeRules.device !== null
        ? [{ uuid: randomUUID(), device: activeRules.device, time: now().toISOString(), found: news }]
        : [];
    await notes.change({
      looked: key,
      found: [...news, ...before.found.filter((one) => !renewed.has(keyOf(one)))].slice(0, agentLimits.scan_items_max),
      reports: [...before.reports, ...report],
    });
    if (report.length) deps.queued();
    if (news.length) deps.foundNew(news);
  };

  const consider = () => {
    const activeRules = closed ? null : deps.activeRules();
    if (!activeRules) return;
    const key = keyOfRules(activeRules, now());
    if (under) again = true;
    else if (key !== notes.now().looked) {
      under = look(activeRules, key)
        .catch(deps.failed)
        .finally(() => {
          under = null;
          if (again) consider();
          again = false;
        });
    }
  };
  const hourly = setInterval(() => {
    void quarantine.deleteOld().catch(deps.failed);
    consider();
  }, hour);
  // Not awaited: what is queued before it may take long.
  void quarantine.deleteOld().catch(deps.failed);

  return {
    consider,
    state: () => ({ looking: under !== null, found: notes.now().found }),
    async putBack(key) {
      const one = notes.now().found.find((other) => keyOf(other) === key && other.held.length > 0);
      if (!one) return { name: '', why: 'gone' };
      const failed: RestoreFailure[] = [];
      // In reverse: later entries depended on earlier ones.
      for (const uuid of one.held.toReversed()) {
        const outcome = await quarantine.undo(uuid);
        if (!outcome.done) failed.push(outcome.why);
      }
      const still = new Set((await quarantine.held()).map(({ uuid }) => uuid));
      const held = one.held.filter((uuid) => still.has(uuid));
      const others = (found: Found[]) =>
        found.flatMap((other) => (keyOf(other) !== key ? [other] : held.length ? [{ ...other, held }] : []));
      const { found, asked } = notes.now();
      await notes.change({ found: others(found), asked: [...new Set([...asked, key])] });
      return { name: one.name, why: failed[0] ?? null };
    },
    async reports(device) {
      const all = notes.now().reports;
      const ours = all.filter((report) => report.device === device);
      if (ours.length < all.length) await notes.change({ reports: ours });
      return ours.map(onWire);
    },
    acknowledged: (uuid) => notes.change({ reports: notes.now().reports.filter((report) => report.uuid !== uuid) }),
    async close() {
      closed = true;
      clearInterval(hourly);
      if (!(await within(deps.timeout, Promise.all([under, quarantine.close()])))) deps.failed(new Error('what was begun is not over yet'));
    },
  };
}

/** The name of rules and definitions: another device, other definitions, other rules, an expired allow-list entry. */
function keyOfRules({ device, rules, version }: ActiveRules, now: Date): string {
  const allow = rules.allow.filter(({ until }) => until === null || Date.parse(until) > now.getTime());
  return JSON.stringify([device, version, rules.actions, rules.block_likely, allow.map(({ type, identifier }) => [type, identifier])]);
}

function onWire({ uuid, time, found }: ScanReport): AgentScan {
  const items = found.slice(0, agentLimits.scan_items_max).map((one) => {
    const { kind, identifier, name, category, certainty, entry, did } = one;
    return { kind, identifier, name, category, certainty, details: entry.slice(0, 2000), did, blocked: isBlocked(one) };
  });
  return { uuid, time, items };
}
