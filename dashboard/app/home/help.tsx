import type { Device } from '@porchlight/contract/devices.ts';
import { NeedHelp } from '../../features/emergency/need-help.tsx';
import { useGuardians } from '../../features/guardians/queries.ts';
import { config } from '../../lib/config.ts';

/** *I need help now*, for the computers that are installed. */
export function HomeHelp({ devices }: { devices: Device[] }) {
  const { data: guardians = [] } = useGuardians(config.features.guardians);
  const names = guardians.filter(({ active, unreachable }) => active && !unreachable).map(({ name }) => name.split(' ')[0] ?? name);
  return <NeedHelp devices={devices.filter(({ login_code }) => !login_code)} guardians={names} />;
}
