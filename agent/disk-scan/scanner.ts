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

/** What holds at this moment. */
export interface ActiveRules {
  /** Of the device that this computer is; null for the free plan. */
  device: string | null;
  rules: RemovalPolicy;
  set: CompiledSet;
  version: number;
}

export interface DiskScannerDeps {
  os: Pick<Os, 'listing'>;
  /** Where the notes are kept. */
  folder: string;
  /** detect → decide → act for what the scan observed. */
  protectStored: ProtectStored;
  quarantine: {
    undo(uuid: string): Promise<{ done: true } | { done: false; why: NonNullable<Found['why']> }>;
    held(): Promise<{ uuid: string }[]>;
    deleteOld(): Promise<void>;
    close(): Promise<void>;
  };
  now: () => Date;
  /** Null while nothing is in force, or not all of it is there yet. */
  activeRules: () => ActiveRules | null;
  /** Something was found that nobody was told of yet. */
  foundNew: (found: Found[]) => void;
  /** There is something to report. */
  queued: () => void;
  failed: (err: unknown) => void;
  /** How long the end waits for what is under way, in milliseconds: somebody whose file it works on may hold it up, and a crash at any point loses nothing. */
  timeout: number;
}

export type RestoreFailure = NonNullable<Found['why']>;

export interface DiskScanner {
  /** Something else may be in force: looks when it was not looked by these rules yet. */
  consider(): void;
  state(): { looking: boolean; found: Found[] };
  /** Puts back what was taken of one entry, by its key; from then on it is left alone. `why`: when not all of it is back. */
  putBack(key: string): Promise<{ name: string; why: RestoreFailure | null }>;
  /** What the server is to hear of this device; what was found when it was another one is forgotten. */
  reports(device: string): Promise<AgentScan[]>;
  acknowledged(uuid: string): Promise<void>;
  /** Resolves when nothing is under way, or that is held up. */
  close(): Promise<void>;
}

/** The first look at a computer, and another one whenever other rules or definitions are in force: what lies there already is found too (P4.1). */
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
  // In its turn: what comes before it may take long, and nothing waits for it.
  void quarantine.deleteOld().catch(deps.failed);

  return {
    consider,
    state: () => ({ looking: under !== null, found: notes.now().found }),
    async putBack(key) {
      const one = notes.now().found.find((other) => keyOf(other) === key && other.held.length > 0);
      if (!one) return { name: '', why: 'gone' };
      const failed: RestoreFailure[] = [];
      // Backwards: what was taken away last stood on what was taken before.
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

/** By what was looked: another device, other definitions, other rules, an exception that has ended. */
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
