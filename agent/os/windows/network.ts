import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join, win32 } from 'node:path';
import type { ServerSocket, SystemNetwork } from '../port.ts';
import { portsWithout, rangesWithout } from './address-ranges.ts';
import { messages } from './messages.ts';
import type { Registry } from './native/registry.ts';

/** The name of our firewall rules, and of the scheduled task that removes them. */
const ownName = 'PorchlightIsolation';
const TIMEOUT_MS = 30_000;

const parametersKey = 'SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy';
export const rulesKey = `${parametersKey}\\FirewallRules`;
/** Where the firewall is switched on and off, by hand and by group policy; the standard profile is the private one. */
export const profileKeys = [parametersKey, 'SOFTWARE\\Policies\\Microsoft\\WindowsFirewall'].flatMap((key) =>
  ['DomainProfile', 'StandardProfile', 'PublicProfile'].map((profile) => `${key}\\${profile}`),
);

export interface Command {
  program: 'netsh.exe' | 'schtasks.exe';
  args: string[];
}

const loopback = ['127.0.0.0/8', '::1'];
/** The ports of DHCP servers and clients, without which the network would be gone at the end. */
const [dhcpServers, dhcpClients] = [portsWithout(67, 547), portsWithout(68, 546)];

const netsh = (verb: 'add' | 'delete', args: string[]): Command => ({
  program: 'netsh.exe',
  args: ['advfirewall', 'firewall', verb, 'rule', `name=${ownName}`, ...args],
});
const removeRules = netsh('delete', []);
const removeTask: Command = { program: 'schtasks.exe', args: ['/delete', '/tn', ownName, '/f'] };

/**
 * Block rules win over all that allow, so they leave out what may pass: loopback, the servers' port, DHCP, and the ICMPv6 that finds
 * neighbours and routers.
 */
export function blockRules(servers: ServerSocket[]): Command[] {
  const addresses = servers.map(({ address }) => address);
  const without = (excluded: string[]) => [...rangesWithout(4, excluded), ...rangesWithout(6, excluded)].join(',');
  const block = (direction: 'in' | 'out', protocol: string, ...args: string[]) =>
    netsh('add', [`dir=${direction}`, 'action=block', 'enable=yes', 'profile=any', `protocol=${protocol}`, ...args]);
  const notServers = `remoteip=${without([...addresses, ...loopback])}`;
  const notLoopback = `remoteip=${without(loopback)}`;
  const serverPorts = servers.map(({ port }) => port);
  return [
    block('out', 'tcp', notServers),
    ...(addresses.length ? [block('out', 'tcp', `remoteip=${addresses.join(',')}`, `remoteport=${portsWithout(...serverPorts)}`)] : []),
    block('out', 'udp', notLoopback, `remoteport=${dhcpServers}`),
    block('out', 'icmpv4', `remoteip=${rangesWithout(4, loopback).join(',')}`),
    block('out', 'icmpv6:128,any', `remoteip=${rangesWithout(6, loopback).join(',')}`),
    block('in', 'tcp', notServers),
    block('in', 'udp', notLoopback, `localport=${dhcpClients}`),
  ];
}

/** A task of the system account that removes the rules and itself: at `end`, late if the computer slept, and when Windows starts. */
export function taskXml(end: Date): string {
  const exec = ({ program, args }: Command) =>
    `<Exec><Command>%SystemRoot%\\System32\\${program}</Command><Arguments>${args.join(' ')}</Arguments></Exec>`;
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers>
    <TimeTrigger><StartBoundary>${end.toISOString().replace(/\.\d+Z$/, 'Z')}</StartBoundary><Enabled>true</Enabled></TimeTrigger>
    <BootTrigger><Enabled>true</Enabled></BootTrigger>
  </Triggers>
  <Principals><Principal id="System"><UserId>S-1-5-18</UserId><RunLevel>HighestAvailable</RunLevel></Principal></Principals>
  <Settings>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT1M</ExecutionTimeLimit>
    <Priority>4</Priority>
  </Settings>
  <Actions Context="System">${exec(removeRules)}${exec(removeTask)}</Actions>
</Task>
`;
}

export interface WindowsNetworkDeps {
  registry: Pick<Registry, 'read' | 'values'>;
  service: boolean;
  /** A folder where only administrators write. */
  folder: () => string;
  run?: (command: Command) => Promise<{ code: number; out: string }>;
  now?: () => number;
}

export function windowsNetwork({ registry, service, folder, run = runInSystem, now = Date.now }: WindowsNetworkDeps): SystemNetwork {
  // Programs of Windows print in the language of the user, so the registry is read instead.
  const ownRules = () =>
    registry
      .values(rulesKey)
      .map((name) => String(registry.read(rulesKey, name)))
      .filter((rule) => rule.includes(`|Name=${ownName}|`));
  const hasRules = () => ownRules().length > 0;
  /** In any order. A rule that somebody disabled or changed has another text. */
  const rulesText = () => ownRules().toSorted().join('\n');
  let textAsSet: string | null = null;
  const isOff = () => profileKeys.some((key) => registry.read(key, 'EnableFirewall') === 0);
  const requireDone = async (command: Command) => {
    const { code, out } = await run(command);
    if (code !== 0) throw new Error(out.trim().split(/\r?\n/)[0] || `${command.program} ended with ${code}`);
  };
  const restore = async () => {
    if (!hasRules()) return;
    await run(removeRules);
    if (hasRules()) throw new Error('the rules of the firewall could not be removed');
    await run(removeTask);
  };
  return {
    unavailable: () => (service ? (isOff() ? messages.firewallOff : null) : messages.notCut),
    async isolate(servers, ms) {
      const file = join(folder(), 'isolation.xml');
      await writeFile(file, `\ufeff${taskXml(new Date(now() + ms))}`, 'utf16le');
      try {
        // The task comes first, so that an agent that is killed from here on leaves nothing for good.
        await requireDone({ program: 'schtasks.exe', args: ['/create', '/tn', ownName, '/xml', file, '/f'] });
        if (hasRules()) await run(removeRules);
        for (const rule of blockRules(servers)) await requireDone(rule);
        textAsSet = rulesText();
      } catch (err) {
        await restore().catch(() => {});
        throw err;
      } finally {
        await rm(file, { force: true });
      }
    },
    // Rules that block win over all that allow, so what a profile does by default does not matter.
    inForce: async () => !isOff() && rulesText() === textAsSet,
    restore,
  };
}

/** Never rejects. By the full path, because the folder of the agent is searched first. */
function runInSystem({ program, args }: Command): Promise<{ code: number; out: string }> {
  const path = win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', program);
  return new Promise((resolve) => {
    execFile(path, args, { timeout: TIMEOUT_MS, windowsHide: true }, (err, stdout, stderr) =>
      resolve({ code: err ? Number(err.code) || 1 : 0, out: `${stdout}${stderr}` }),
    );
  });
}
