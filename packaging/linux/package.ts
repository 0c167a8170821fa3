import { brand } from '@porchlight/contract/brand.ts';
import { deb, gzipBytes } from './deb.ts';
import { layout } from './layout.ts';
import { postinst, postrm, prerm } from './scripts.ts';
import { type TarEntry, tar } from './tar.ts';
import { icon, menuEntry, unit } from './unit.ts';

export interface LinuxParts {
  version: string;
  architecture: 'amd64' | 'arm64';
  program: Uint8Array;
  beside: Record<string, Uint8Array>;
  server: string;
  time: number;
}

/** The archive is for systems without dpkg: unpack it at the root and start the agent with --keep-running. */
export function linuxPackages(parts: LinuxParts): { deb: Buffer; tarball: Buffer } {
  const files = filesOf(parts);
  const { version, architecture, time } = parts;
  const tarball = gzipBytes(tar(files, time));
  return {
    deb: deb({
      ...{ version, architecture, files, data: tarball, time },
      name: 'porchlight-agent',
      maintainer: `${brand.name} <${brand.support.email}>`,
      description: [
        'stops remote-access scams on this computer',
        'Ends the remote-control programs that scammers ask for, keeps their',
        'websites away, and tells the family at once.',
      ],
      conffiles: [layout.settings],
      scripts: { postinst, prerm, postrm },
    }),
    tarball,
  };
}

function filesOf({ program, beside, server }: LinuxParts): TarEntry[] {
  const file = (path: string, content: string | Uint8Array, mode = 0o644): TarEntry => ({
    path: path.slice(1),
    mode,
    bytes: Buffer.from(content),
  });
  return [
    file(layout.settings, `PORCHLIGHT_SERVER=${server}\n`, 0o600),
    file(layout.unit, unit),
    file(layout.program, program, 0o755),
    ...Object.entries(beside).map(([name, bytes]) => file(`${layout.folder}/${name}`, bytes)),
    file(layout.menu, menuEntry),
    file(layout.icon, icon),
  ];
}
