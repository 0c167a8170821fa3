import type { TunnelTables } from '@porchlight/definitions/tunnels.ts';
import type { Os, ProcessSeen } from '../os/port.ts';
import type { DoorFinding } from './detectors/doors.ts';
import { detectMeshVpns } from './detectors/tunnels.ts';

/** A mesh VPN that did not run for so long was removed, and is new when it comes back. Its program may be missing for a moment in an update. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000;
/** How often the time is written at which a mesh VPN ran last. */
const NOTE_MS = 24 * 3_600_000;

/** When each mesh VPN was last seen to run, by its key. */
export type SeenMeshVpns = Record<string, string>;

export interface MeshVpnsDeps {
  os: Pick<Os, 'isRunning'>;
  file: { load(): Promise<SeenMeshVpns | null>; save(seen: SeenMeshVpns): Promise<unknown> };
  now: () => Date;
  failed: (err: unknown) => void;
}

export interface MeshVpns {
  /**
   * Those that appeared. Their services start at every boot, which is nothing new. `isInventory`: all programs that run now. What runs at the
   * first inventory of all was there before the agent, and what runs at the first inventory with a new set, of which alone its name is known,
   * was there before that set.
   */
  appeared(processes: ProcessSeen[], isInventory: boolean, tunnels: TunnelTables): DoorFinding[];
  /** Resolves when all that is known is stored. */
  saved(): Promise<unknown>;
}

export async function meshVpns({ os, file, now, failed }: MeshVpnsDeps): Promise<MeshVpns> {
  let seen = await file.load();
  let known: Set<string> | null = null;
  let checked = Number.NEGATIVE_INFINITY;
  let running = new Map<string, ProcessSeen>();
  let saving: Promise<unknown> = Promise.resolve();
  const note = (keys: string[], time: Date) => {
    const noted = { ...seen, ...Object.fromEntries(keys.map((key) => [key, time.toISOString()])) };
    seen = noted;
    saving = saving.then(() => file.save(noted)).catch(failed);
  };
  return {
    appeared(processes, isInventory, tunnels) {
      const found = detectMeshVpns(processes, tunnels);
      const isFirst = seen === null;
      const before = isInventory ? known : null;
      if (isInventory) known = new Set([...Object.values(tunnels.mesh), ...Object.values(tunnels.mesh_macos)]);
      if (isFirst && !isInventory) return [];
      const time = now();
      if (!isFirst && !found.length && time.getTime() - checked < NOTE_MS) return [];
      checked = time.getTime();
      const ageOf = (key: string) => (seen?.[key] === undefined ? Number.POSITIVE_INFINITY : time.getTime() - Date.parse(seen[key]));
      const fresh = isFirst ? [] : found.filter(({ key, name }) => (before?.has(name) ?? true) && ageOf(key) >= FORGOTTEN_AFTER_MS);
      running = new Map([...running, ...found.map(({ key, process }) => [key, process] as const)].filter(([, one]) => os.isRunning(one)));
      const due = [...running.keys(), ...found.map(({ key }) => key)].filter((key) => ageOf(key) >= NOTE_MS);
      if (isFirst || due.length) note(due, time);
      return fresh.map(({ finding }) => finding);
    },
    saved: () => saving,
  };
}
