import { linuxPackages } from './linux/package.ts';
import { macPackage } from './macos/package.ts';
import { packedAt } from './macos/tree.ts';
import type { Program } from './programs.ts';
import type { Target } from './targets.ts';
import { windowsInstaller } from './windows/package.ts';

export interface InstallerParts {
  /** What was built; a system is left out where one of its programs is missing. */
  programs: Program[];
  version: string;
  /** The operator's signed file, which is installed beside each agent. */
  operator: Buffer;
  server: string;
  /** A folder for what is made on the way. */
  work: string;
}

/** The files in the agent's folder on a computer, by name. */
export function installed({ target, agent, native }: Program, operator: Buffer): Record<string, Buffer> {
  return {
    [target === 'win-x64' ? 'porchlight-agent.exe' : 'porchlight-agent']: agent,
    [native.name]: native.content,
    'operator.json': operator,
  };
}

/** What people open to install it, by the name under which the server gives it away. The one for Windows is left out where there is no makensis. */
export async function installersOf({ programs, version, operator, server, work }: InstallerParts): Promise<Map<string, Buffer>> {
  const of = (target: Target) => programs.find((program) => program.target === target);
  const made = new Map<string, Buffer>();
  const windows = of('win-x64');
  if (windows) {
    const exe = await windowsInstaller({ version, work, files: installed(windows, operator) });
    if (exe) made.set('porchlight.exe', exe);
  }
  const [apple, intel] = [of('darwin-arm64'), of('darwin-x64')];
  if (apple && intel) {
    const macs = [
      { ...apple, arch: 'arm64' as const },
      { ...intel, arch: 'x64' as const },
    ];
    made.set('porchlight.pkg', macPackage({ version, programs: macs, beside: { 'operator.json': operator } }));
  }
  const linux = of('linux-x64');
  if (linux) {
    const beside = { [linux.native.name]: linux.native.content, 'operator.json': operator };
    const { deb, tarball } = linuxPackages({ version, architecture: 'amd64', program: linux.agent, beside, server, time: packedAt });
    made.set('porchlight.deb', deb).set('porchlight.tar.gz', tarball);
  }
  return made;
}

/** Problems that an operator would notice only when somebody cannot use an installer. `made`: the names of the installers; `server`: the address that is in them. */
export function warnings(wanted: Target[], made: string[], server: string): string[] {
  const found: string[] = [];
  if (wanted.includes('win-x64') && !made.includes('porchlight.exe')) {
    found.push('there is no installer for Windows. It takes makensis, which is not here: apt-get install nsis, and run this again.');
  }
  if (/^(localhost|127\..*|\[::1\])$/.test(new URL(server).hostname)) {
    found.push(
      `these installers work on this computer alone, because their server is ${server}. For other computers set PUBLIC_URL, start the server again, and run this again.`,
    );
  }
  return found;
}
