import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { windowsDoors } from '../os/windows/doors/doors.ts';
import { interfaceKeys } from '../os/windows/doors/network-settings.ts';
import { ownService, safeModeKey, servicesKey } from '../os/windows/own-service.ts';
import { serviceSwitch } from '../os/windows/services/switched-off.ts';
import { temporaryFolder } from './agent.ts';
import { manualClock } from './manual-clock.ts';
import { registryInMemory, servicesInMemory } from './windows-registry.ts';

const control = 'SYSTEM\\CurrentControlSet\\Control';
export const [terminal, assistance] = [`${control}\\Terminal Server`, `${control}\\Remote Assistance`];
export const ownKey = `${servicesKey}\\Porchlight`;
export const stopped = { running: false, alone: true, pid: 0 };
const [interfaces = ''] = interfaceKeys;

/** A Windows with our service, one network adapter, and no open door. Its paths are those of this computer. */
export async function computer() {
  const root = await temporaryFolder();
  const hostsFolder = join(root, 'System32', 'drivers', 'etc');
  const [hosts, folder] = [join(hostsFolder, 'hosts'), join(root, 'Porchlight')];
  for (const path of [hostsFolder, folder]) await mkdir(path, { recursive: true });
  await writeFile(hosts, '# Windows\r\n127.0.0.1 localhost\r\n');
  await writeFile(join(folder, 'porchlight-agent.exe'), 'program');
  const registry = registryInMemory();
  registry.write(terminal, 'fDenyTSConnections', 1);
  registry.write(assistance, 'fAllowToGetHelp', 0);
  registry.write(`${servicesKey}\\Tcpip\\Parameters`, 'DataBasePath', '%SystemRoot%/System32/drivers/etc');
  registry.write(`${interfaces}\\{a}`, 'DhcpNameServer', '192.168.1.1');
  registry.write(ownKey, 'Start', 2);
  registry.write(`${safeModeKey}\\Porchlight`, '', 'Service');
  registry.write(ownKey, 'ImagePath', '"C:\\Program Files\\Porchlight\\porchlight-agent.exe" --service');
  const { services, known } = servicesInMemory({ Porchlight: { ...stopped, start: 2, running: true } });
  const end = async (pid: number) => {
    for (const [name, service] of known) if (service.pid === pid) known.set(name, { ...service, running: false });
    return true;
  };
  const members = { list: ['PC\\Ann', 'PC\\Administrator'] as string[] | null };
  const keys = { changed: false, closed: false, watched: [] as string[] };
  const replaced: string[] = [];
  const clock = manualClock();
  const rights = { takeService: () => true, setServiceRights: () => true };
  const service = ownService({ name: 'Porchlight', registry, services, rights });
  const doors = windowsDoors({
    ...{ registry, services, systemRoot: root, computer: 'PC', own: { folder, name: 'Porchlight', service }, after: clock.after },
    setService: serviceSwitch(services, registry, end).setService,
    calls: {
      administrators: async () => members.list,
      async replaceFile(temporary, path) {
        replaced.push(path);
        await rename(temporary, path);
      },
      watchKeys(watched) {
        keys.watched = watched;
        const take = () => {
          const { changed } = keys;
          keys.changed = false;
          return changed;
        };
        return { changed: take, close: () => void (keys.closed = true) };
      },
    },
  });
  return { root, hosts, folder, registry, services, known, members, keys, replaced, clock, doors, read: doors.read };
}
