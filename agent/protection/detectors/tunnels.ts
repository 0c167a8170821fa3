import { tunnelOf } from '@porchlight/definitions/tunnels.ts';
import type { ProcessSeen } from '../../os/port.ts';
import type { DoorFinding } from './doors.ts';

/** Tunnel programs that were started (P12.5). Their owners may have good reasons, so nothing closes them. */
export function detectTunnels(started: ProcessSeen[]): DoorFinding[] {
  return started.flatMap((process): DoorFinding[] => {
    const tunnel = tunnelOf(process.program.name);
    if (tunnel === null) return [];
    const match = {
      identifier: 'door-tunnel',
      // Messages quote at most 30 characters of a name (P18.1).
      name: `A tunnel (${tunnel})`,
      category: 'Door',
      certainty: 'certain',
    } as const;
    return [
      { kind: 'door', door: 'tunnel', match: { ...match, why: [`tunnel=${tunnel}`] }, details: process.path.slice(0, 300), closable: null },
    ];
  });
}
