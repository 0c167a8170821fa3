import { randomUUID } from 'node:crypto';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import { hour } from '@porchlight/contract/time.ts';
import type { CompiledSet } from '@porchlight/definitions/match.ts';
import type { RemovalPolicy } from '@porchlight/definitions/remove-shapes.ts';
import type { GuardUserFiles } from '../lib/user-file-work.ts';
import { within } from '../lib/within.ts';
import type { Os } from '../os/port.ts';
import type { ProtectStored } from '../ports.ts';
import { type Found, isBlocked, keyOf, type ScanReport } from '../state/stored-findings.ts';
import { openScanNotes } from './notes.ts';

export interface ActiveRules {
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
    quarantined(): Promise<{ uuid: string }[]>;
    deleteOld(): Promise<void>;
    close(): Promise<void>;
  };
  now: () => Date;
  activeRules: () => ActiveRules | null;
  foundNew: (found: Found[]) => void;
  queued: () => void;
  failed: (err: unknown) => void;
  guard: GuardUserFiles;
  /** Milliseconds that `close` waits for a running scan. Stopping a scan at any point loses nothing. */
  timeout: number;
}

export type RestoreFailure = NonNullable<Found['why']>;

export interface DiskScanner {
  /** Starts a scan unless the last scan used the rules and definitions in force. */
  consider(): void;
  state(): { scanning: boolean; found: Found[] };
  /** Restores one entry, which later scans ignore. `why`: the reason when some of it could not be restored. */
  putBack(key: string): Promise<{ name: string; why: RestoreFailure | null }>;
  /** Unsent scan reports of this device; reports of an earlier device are dropped. */
  reports(device: string): Promise<AgentScan[]>;
  acknowledged(uuid: string): Promise<void>;
  close(): Promise<void>;
}

/** Scans the disk once, and again whenever rules or definitions change (P4.1). */
export async function diskScanner(deps: DiskScannerDeps): Promise<DiskScanner> {
  const { quarantine, now } = deps;
  const notes = await openScanNotes(deps.folder);
  let running: Promise<void> | null = null;
  let rescanDue = false;
  let closed = false;

  const runScan = async (activeRules: ActiveRules, key: string): Promise<void> => {
    const listing = await deps.os.listing(deps.guard);
    const lastNotes = notes.now();
    const restored = new Set(lastNotes.asked);
    const decide = () => deps.protectStored(listing, activeRules.rules, activeRules.set, (one) => restored.has(keyOf(one)));
    // All entries are decided before the first one is removed, so the names that users chose are read here.
    const findings = await deps.guard('scan', '')(decide);
    if (findings === null) return;
    const knownFindings = new Set(lastNotes.found.map((one) => `${keyOf(one)} ${one.did}`));
    const newFindings = findings.filter((one) => one.held.length > 0 || !knownFindings.has(`${keyOf(one)} ${one.did}`));
    const renewed = new Set(newFindings.map(keyOf));
    const report: ScanReport[] =
      newFindings.length && activeRules.device !== null
        ? [{ uuid: randomUUID(), device: activeRules.device, time: now().toISOString(), found: newFindings }]
        : [];
    await notes.change({
      looked: key,
      found: [...newFindings, ...lastNotes.found.filter((one) => !renewed.has(keyOf(one)))].slice(0, agentLimits.scan_items_max),
      reports: [...lastNotes.reports, ...report],
    });
    if (report.length) deps.queued();
    if (newFindings.length) deps.foundNew(newFindings);
  };

  const consider = () => {
    const activeRules = closed ? null : deps.activeRules();
    if (!activeRules) return;
    const key = keyOfRules(activeRules, now());
    if (running) rescanDue = true;
    else if (key !== notes.now().looked) {
      running = runScan(activeRules, key)
        .catch(deps.failed)
        .finally(() => {
          running = null;
          if (rescanDue) consider();
          rescanDue = false;
        });
    }
  };
  const hourly = setInterval(() => {
    void quarantine.deleteOld().catch(deps.failed);
    consider();
  }, hour);
  // Not awaited, because earlier quarantine operations may take long.
  void quarantine.deleteOld().catch(deps.failed);

  return {
    consider,
    state: () => ({ scanning: running !== null, found: notes.now().found }),
    async putBack(key) {
      const finding = notes.now().found.find((other) => keyOf(other) === key && other.held.length > 0);
      if (!finding) return { name: '', why: 'gone' };
      const failed: RestoreFailure[] = [];
      // In reverse order, because later items of an entry depend on earlier items.
      for (const uuid of finding.held.toReversed()) {
        const outcome = await quarantine.undo(uuid);
        if (!outcome.done) failed.push(outcome.why);
      }
      const stillQuarantined = new Set((await quarantine.quarantined()).map(({ uuid }) => uuid));
      const quarantined = finding.held.filter((uuid) => stillQuarantined.has(uuid));
      const withoutRestored = (findings: Found[]) =>
        findings.flatMap((other) => (keyOf(other) !== key ? [other] : quarantined.length ? [{ ...other, held: quarantined }] : []));
      const { found, asked } = notes.now();
      await notes.change({ found: withoutRestored(found), asked: [...new Set([...asked, key])] });
      return { name: finding.name, why: failed[0] ?? null };
    },
    async reports(device) {
      const reports = notes.now().reports;
      const ownReports = reports.filter((report) => report.device === device);
      if (ownReports.length < reports.length) await notes.change({ reports: ownReports });
      return ownReports.map(toReport);
    },
    acknowledged: (uuid) => notes.change({ reports: notes.now().reports.filter((report) => report.uuid !== uuid) }),
    async close() {
      closed = true;
      clearInterval(hourly);
      if (!(await within(deps.timeout, Promise.all([running, quarantine.close()]))))
        deps.failed(new Error('what was begun is not over yet'));
    },
  };
}

/** The key changes with the device, the definitions, the rules, and when an allow-list entry expires. */
function keyOfRules({ device, rules, version }: ActiveRules, now: Date): string {
  const allow = rules.allow.filter(({ until }) => until === null || Date.parse(until) > now.getTime());
  return JSON.stringify([device, version, rules.actions, rules.block_likely, allow.map(({ type, identifier }) => [type, identifier])]);
}

function toReport({ uuid, time, found }: ScanReport): AgentScan {
  const items = found.slice(0, agentLimits.scan_items_max).map((finding) => {
    const { kind, identifier, name, category, certainty, entry, did } = finding;
    return { kind, identifier, name, category, certainty, details: entry.slice(0, 2000), did, blocked: isBlocked(finding) };
  });
  return { uuid, time, items };
}
