import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServiceAt } from '../../port.ts';
import { linuxDoors } from './doors.ts';

export const own = { folder: '/opt/porchlight', unit: 'porchlight-agent.service' };
export const passwd = `root:x:0:0:root:/root:/bin/bash
daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
ann:x:1000:1000:Ann:/home/ann:/bin/bash
bob:x:1001:1001:Bob:/home/bob:/bin/bash
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
`;
export const group = 'root:x:0:\nadm:x:4:bob\nsudo:x:27:ann\nann:x:1000:\nbob:x:1001:\n';
/** A line of proc(5) with a socket. */
export const socket = (address: string, port: number, { state = '0A', uid = 0, inode = 1 } = {}) =>
  `   0: ${address}:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0 100 0 0 10 0\n`;
export const [everywhere, loopback] = ['00000000', '0100007F'];
export const everywhere6 = '0'.repeat(32);

/** Below `root`, a computer with our service, two users, and no open door. */
export async function linuxComputer(root: string) {
  const at = (path: string) => join(root, path);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  const link = async (path: string, target = '/usr/lib/systemd/system/x') => {
    await mkdir(dirname(at(path)), { recursive: true });
    await symlink(target, at(path));
  };
  const listen = async (rows: string, file = 'tcp') => write(`proc/net/${file}`, `  sl  local_address\n${rows}`);
  const owner = async (pid: number, comm: string, inode: number) => {
    await write(`proc/${pid}/comm`, `${comm}\n`);
    await link(`proc/${pid}/fd/3`, `socket:[${inode}]`);
  };
  await write('etc/passwd', passwd);
  await write('etc/group', group);
  await write('etc/hosts', '127.0.0.1 localhost\n');
  await write('opt/porchlight/porchlight-agent', 'program');
  await write(`usr/lib/systemd/system/${own.unit}`, '[Service]\n');
  await link(`etc/systemd/system/multi-user.target.wants/${own.unit}`);
  await listen('');
  const changed: ServiceAt[] = [];
  const setService = async (service: ServiceAt) => changed.push(service) > 0;
  const doors = linuxDoors({ root, own, setService });
  return { root, at, write, link, listen, owner, doors, read: doors.read, changed };
}
