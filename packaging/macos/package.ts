import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brand } from '@porchlight/contract/brand.ts';
import { flatPackage } from './flat-package.ts';

/** Identifies the agent for launchd and upgrades. */
export const macIdentifier = 'example.porchlight.agent';
const folder = 'Library/Application Support/Porchlight';
const application = 'Applications/Porchlight.app/Contents';

const shipped = (name: string) => readFileSync(fileURLToPath(new URL(name, import.meta.url)));

export interface MacParts {
  version: string;
  /** Programs by processor; the installer copies only those for the Mac's processor. */
  programs: { arch: 'arm64' | 'x64'; agent: Buffer; native: { name: string; content: Buffer } }[];
  beside: Record<string, Buffer>;
}

export function macPackage({ version, programs, beside }: MacParts): Buffer {
  const packageEntry = (path: string, content: Buffer, mode: number) => ({ path, content, mode });
  return flatPackage({
    identifier: macIdentifier,
    version,
    title: brand.name,
    // The oldest macOS that Node 22 supports.
    oldest: '11.0',
    files: [
      ...programs.flatMap(({ arch, agent, native }) => [
        packageEntry(`${folder}/porchlight-agent-${arch}`, agent, 0o755),
        packageEntry(`${folder}/${native.name}-${arch}`, native.content, 0o755),
      ]),
      ...Object.entries(beside).map(([name, content]) => packageEntry(`${folder}/${name}`, content, 0o644)),
      packageEntry(`${folder}/uninstall`, shipped('uninstall.sh'), 0o755),
      packageEntry(`${folder}/application`, shipped('application.sh'), 0o755),
      packageEntry(
        `${application}/Info.plist`,
        Buffer.from(shipped('application/Info.plist').toString().replaceAll('@VERSION@', version)),
        0o644,
      ),
      packageEntry(`${application}/Resources/open.applescript`, shipped('application/open.applescript'), 0o644),
      packageEntry('Applications/Uninstall Porchlight.command', shipped('uninstall.command'), 0o755),
      packageEntry('Library/LaunchDaemons/example.porchlight.agent.plist', shipped('daemon.plist'), 0o644),
      packageEntry('Library/LaunchAgents/example.porchlight.window.plist', shipped('window.plist'), 0o644),
    ],
    scripts: { preinstall: shipped('preinstall.sh').toString(), postinstall: shipped('postinstall.sh').toString() },
  });
}
