import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type TarEntry, tar } from './tar.ts';

export interface DebParts {
  name: string;
  version: string;
  architecture: 'amd64' | 'arm64';
  maintainer: string;
  description: string[];
  files: TarEntry[];
  /** These files as a gzipped tar. */
  data: Buffer;
  /** Absolute paths of settings that users may change. */
  conffiles: string[];
  scripts: Record<'postinst' | 'prerm' | 'postrm', string>;
  /** Seconds since 1970; the same time gives the same bytes. */
  time: number;
}

/** A Debian package, deb(5): an ar archive of three members. */
export function deb({ files, data, scripts, conffiles, time, ...about }: DebParts): Buffer {
  const text = (path: string, content: string, mode = 0o644): TarEntry => ({ path, mode, bytes: Buffer.from(content) });
  const sums = files.flatMap(({ path, bytes }) => (bytes ? `${createHash('md5').update(bytes).digest('hex')}  ${path}\n` : []));
  const control = [
    text('control', controlOf(about, files)),
    text('md5sums', sums.join('')),
    ...(conffiles.length ? [text('conffiles', conffiles.map((path) => `${path}\n`).join(''))] : []),
    ...Object.entries(scripts).map(([name, script]) => text(name, script, 0o755)),
  ];
  return Buffer.concat([
    Buffer.from('!<arch>\n'),
    ...member('debian-binary', Buffer.from('2.0\n'), time),
    ...member('control.tar.gz', gzipBytes(tar(control, time)), time),
    ...member('data.tar.gz', data, time),
  ]);
}

/** Gzip with a fixed operating system in the header. The highest level takes three times as long for a third of a percent. */
export function gzipBytes(bytes: Uint8Array): Buffer {
  const zipped = gzipSync(bytes, { level: 6 });
  zipped[9] = 3;
  return zipped;
}

function controlOf(about: Omit<DebParts, 'files' | 'data' | 'scripts' | 'conffiles' | 'time'>, files: TarEntry[]): string {
  const kilobytes = Math.ceil(files.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0) / 1024);
  const [shortText = '', ...longText] = about.description;
  return [
    `Package: ${about.name}`,
    `Version: ${about.version}`,
    `Architecture: ${about.architecture}`,
    `Maintainer: ${about.maintainer}`,
    `Installed-Size: ${kilobytes}`,
    'Depends: libc6 (>= 2.28), libstdc++6',
    'Recommends: nftables, xdg-utils',
    'Section: admin',
    'Priority: optional',
    `Description: ${shortText}`,
    ...longText.map((line) => ` ${line}`),
    '',
  ].join('\n');
}

/** A member of an ar(5) archive: a header of 60 bytes, the content, and padding to an even length. */
function member(name: string, bytes: Uint8Array, time: number): Uint8Array[] {
  const header = `${name.padEnd(16)}${String(time).padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`;
  return [Buffer.from(header), bytes, Buffer.alloc(bytes.length & 1, '\n')];
}
