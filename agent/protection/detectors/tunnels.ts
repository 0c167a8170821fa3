import { isSshClient, sshForward } from '@porchlight/definitions/ssh-forward.ts';
import { meshVpnOf, type TunnelTables, tunnelOf } from '@porchlight/definitions/tunnels.ts';
import type { ProcessCommand, ProcessSeen } from '../../os/port.ts';
import type { DoorFinding } from './doors.ts';

/**
 * Tunnels that were started (P12.5), and the ways in that an SSH client opens (P15.3). Their owners may have good reasons, so nothing closes
 * them. `commandOf`: called for SSH clients alone.
 */
export function detectTunnels(
  started: ProcessSeen[],
  tunnels: TunnelTables,
  commandOf: (process: ProcessSeen) => ProcessCommand | null,
): DoorFinding[] {
  return started.flatMap((process) => {
    const { name } = (process.runs ?? process).program;
    const tunnel = tunnelOf(name, tunnels) ?? (opensWayIn(name, process, commandOf) ? 'SSH' : null);
    return tunnel === null ? [] : [tunnelFinding(process, tunnel)];
  });
}

function opensWayIn(name: string, process: ProcessSeen, commandOf: (process: ProcessSeen) => ProcessCommand | null): boolean {
  if (!isSshClient(name)) return false;
  const command = commandOf(process);
  // What autossh starts again after each break is the same tunnel.
  return (
    command !== null && command.parents[0] !== 'autossh' && sshForward(name, command.args.slice(process.runs?.skipped ?? 0)) === 'reverse'
  );
}

/** The mesh VPNs among these processes, each once. `key`: of the copy in its folder, which has several programs. */
export function detectMeshVpns(
  processes: ProcessSeen[],
  tunnels: TunnelTables,
): { key: string; process: ProcessSeen; name: string; finding: DoorFinding }[] {
  const found = processes.flatMap((process) => {
    const mesh = meshVpnOf((process.runs ?? process).program, tunnels);
    const folder = process.path.slice(0, Math.max(process.path.lastIndexOf('/'), process.path.lastIndexOf('\\')));
    return mesh === null ? [] : [{ key: `${mesh} ${folder}`, name: mesh, process, finding: tunnelFinding(process, mesh) }];
  });
  return found.filter(({ key }, at) => found.findIndex((one) => one.key === key) === at);
}

function tunnelFinding({ path }: ProcessSeen, tunnel: string): DoorFinding {
  const match = {
    identifier: 'door-tunnel',
    // Messages quote at most 30 characters of a name (P18.1).
    name: `A tunnel (${tunnel})`,
    category: 'Door',
    certainty: 'certain',
  } as const;
  return { kind: 'door', door: 'tunnel', match: { ...match, why: [`tunnel=${tunnel}`] }, details: path.slice(0, 300), closable: null };
}
