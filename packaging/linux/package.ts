import { brand } from '@porchlight/contract/brand.ts';
import { deb, packed } from './deb.ts';
import { layout } from './layout.ts';
import { postinst, postrm, prerm } from './scripts.ts';
import { type TarEntry, tar } from './tar.ts';
import { icon, menuEntry, unit } from './unit.ts';

export interface LinuxParts {
  version: string;
  architecture: 'amd64' | 'arm64';
  /** The single executable. */
  program: Uint8Array;
  /** Files beside the program: the native part, by its file name. */
  beside: Record<string, Uint8Array>;
  /** Where the server is. */
  server: string;
  /** In seconds since 1970. */
  time: number;
}

/** The packages for Linux: the same files as a `.deb`, and as an archive for where there is no dpkg; unpacked at the root it is started by hand with --keep-running. */
export function linuxPackages(parts: LinuxParts): { deb: Buffer; tarball: Buffer } {
  const files = filesOf(parts);
  const { version, architecture, time } = parts;
  return {
    deb: deb({
      ...{ version, architecture, files, time },
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
    tarball: packed(tar(files, time)),
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
