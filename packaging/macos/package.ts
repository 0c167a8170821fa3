import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brand } from '@porchlight/contract/brand.ts';
import { flatPackage } from './flat-package.ts';

/** Launchd knows the agent by this, and the installer knows an upgrade by it. */
export const macIdentifier = 'example.porchlight.agent';
const folder = 'Library/Application Support/Porchlight';
const application = 'Applications/Porchlight.app/Contents';

const shipped = (name: string) => readFileSync(fileURLToPath(new URL(name, import.meta.url)));

export interface MacParts {
  version: string;
  /** For each processor the agent and the native part of koffi; the installer keeps those of the Mac's processor. */
  programs: { arch: 'arm64' | 'x64'; agent: Buffer; native: { name: string; content: Buffer } }[];
  /** The other files beside the agent, by name. */
  beside: Record<string, Buffer>;
}

/** The package for macOS, for both kinds of Mac. */
export function macPackage({ version, programs, beside }: MacParts): Buffer {
  const at = (path: string, content: Buffer, mode: number) => ({ path, content, mode });
  return flatPackage({
    identifier: macIdentifier,
    version,
    title: brand.name,
    // Node 22 starts on nothing older.
    oldest: '11.0',
    files: [
      ...programs.flatMap(({ arch, agent, native }) => [
        at(`${folder}/porchlight-agent-${arch}`, agent, 0o755),
        at(`${folder}/${native.name}-${arch}`, native.content, 0o755),
      ]),
      ...Object.entries(beside).map(([name, content]) => at(`${folder}/${name}`, content, 0o644)),
      at(`${folder}/uninstall`, shipped('uninstall.sh'), 0o755),
      at(`${folder}/application`, shipped('application.sh'), 0o755),
      at(`${application}/Info.plist`, Buffer.from(shipped('application/Info.plist').toString().replaceAll('@VERSION@', version)), 0o644),
      at(`${application}/Resources/open.applescript`, shipped('application/open.applescript'), 0o644),
      at('Applications/Uninstall Porchlight.command', shipped('uninstall.command'), 0o755),
      at('Library/LaunchDaemons/example.porchlight.agent.plist', shipped('daemon.plist'), 0o644),
      at('Library/LaunchAgents/example.porchlight.window.plist', shipped('window.plist'), 0o644),
    ],
    scripts: { preinstall: shipped('preinstall.sh').toString(), postinstall: shipped('postinstall.sh').toString() },
  });
}
