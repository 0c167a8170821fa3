import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { linuxPackages } from './linux/package.ts';
import { macPackage } from './macos/package.ts';
import { packedAt } from './macos/tree.ts';
import type { Program } from './programs.ts';
import type { Target } from './targets.ts';
import { windowsInstaller } from './windows/package.ts';
import type { WindowsSigning } from './windows/sign.ts';

export interface InstallerParts {
  programs: Program[];
  version: string;
  operator: Buffer;
  server: string;
  work: string;
  /** Left out: the installer for Windows is not signed. */
  signing?: WindowsSigning | null;
  /** Called before each installer. */
  beginning?: (platform: InstallerPlatform) => Promise<void>;
}

export function installed({ target, agent, native }: Program, operator: Buffer): Record<string, Buffer> {
  return {
    [target === 'win-x64' ? 'porchlight-agent.exe' : 'porchlight-agent']: agent,
    [native.name]: native.content,
    'operator.json': operator,
  };
}

/** Builds the installers, by download name. Without makensis, the installer for Windows is left out. */
export async function installersOf({
  programs,
  version,
  operator,
  server,
  work,
  signing = null,
  beginning = async () => {},
}: InstallerParts): Promise<Map<string, Buffer>> {
  const programFor = (target: Target) => programs.find((program) => program.target === target);
  const installers = new Map<string, Buffer>();
  const windows = programFor('win-x64');
  if (windows) {
    await beginning('windows');
    const exe = await windowsInstaller({ version, work, files: installed(windows, operator), signing });
    if (exe) installers.set('porchlight.exe', exe);
  }
  const [apple, intel] = [programFor('darwin-arm64'), programFor('darwin-x64')];
  if (apple && intel) {
    await beginning('macos');
    const macs = [
      { ...apple, arch: 'arm64' as const },
      { ...intel, arch: 'x64' as const },
    ];
    installers.set('porchlight.pkg', macPackage({ version, programs: macs, beside: { 'operator.json': operator } }));
  }
  const linux = programFor('linux-x64');
  if (linux) {
    await beginning('linux');
    const sideFiles = { [linux.native.name]: linux.native.content, 'operator.json': operator };
    const { deb, tarball } = linuxPackages({
      version,
      architecture: 'amd64',
      program: linux.agent,
      beside: sideFiles,
      server,
      time: packedAt,
    });
    installers.set('porchlight.deb', deb).set('porchlight.tar.gz', tarball);
  }
  return installers;
}

/**
 * Finds problems that would otherwise appear only when an installer fails. `madeNames`: names of the installers; `server`: the address in them.
 */
export function warnings(wantedTargets: Target[], madeNames: string[], server: string): string[] {
  const problems: string[] = [];
  if (wantedTargets.includes('win-x64') && !madeNames.includes('porchlight.exe')) {
    problems.push('there is no installer for Windows. It takes makensis, which is not here: apt-get install nsis, and run this again.');
  }
  if (/^(localhost|127\..*|\[::1\])$/.test(new URL(server).hostname)) {
    problems.push(
      `these installers work on this computer alone, because their server is ${server}. For other computers set PUBLIC_URL, start the server again, and run this again.`,
    );
  }
  return problems;
}
