import { gzipSync } from 'node:zlib';
import { bom } from './bom.ts';
import { cpio } from './cpio.ts';
import { type Entry, treeOf } from './tree.ts';
import { xar } from './xar.ts';

export interface PackageParts {
  /** A reverse host name; a package replaces an earlier package with the same identifier. */
  identifier: string;
  version: string;
  title: string;
  files: (Entry & { content: Buffer })[];
  /** Scripts that run as root before and after copying the files. */
  scripts: { preinstall: string; postinstall: string };
  oldest: string;
}

/** Gzip without time and operating system in the header. */
function gzip(content: Buffer): Buffer {
  const gzipped = gzipSync(content, { level: 6 });
  gzipped.fill(0, 4, 8);
  gzipped[9] = 3;
  return gzipped;
}

const text = (value: string) => value.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Builds an unsigned package, because signing needs Apple's certificate. The same parts give the same bytes. */
export function flatPackage({ identifier, version, title, files, scripts, oldest }: PackageParts): Buffer {
  const tree = treeOf(files);
  const kilobytes = Math.ceil(files.reduce((sum, { content }) => sum + content.length, 0) / 1024);
  const scriptFiles = Object.entries(scripts).map(([path, script]) => ({ path, content: Buffer.from(script), mode: 0o755 }));
  const packageInfo = `<?xml version="1.0" encoding="utf-8"?>
<pkg-info format-version="2" identifier="${text(identifier)}" version="${text(version)}" install-location="/" auth="root" overwrite-permissions="true" relocatable="false">
  <payload numberOfFiles="${tree.length + 1}" installKBytes="${kilobytes}"/>
  <scripts><preinstall file="./preinstall"/><postinstall file="./postinstall"/></scripts>
</pkg-info>
`;
  const distribution = `<?xml version="1.0" encoding="utf-8"?>
<installer-gui-script minSpecVersion="2">
  <title>${text(title)}</title>
  <options customize="never" require-scripts="true" hostArchitectures="arm64,x86_64" rootVolumeOnly="true"/>
  <domains enable_anywhere="false" enable_currentUserHome="false" enable_localSystem="true"/>
  <volume-check><allowed-os-versions><os-version min="${text(oldest)}"/></allowed-os-versions></volume-check>
  <choices-outline><line choice="all"/></choices-outline>
  <choice id="all" visible="false"><pkg-ref id="${text(identifier)}"/></choice>
  <pkg-ref id="${text(identifier)}" version="${text(version)}" auth="Root" installKBytes="${kilobytes}">#agent.pkg</pkg-ref>
</installer-gui-script>
`;
  return xar([
    { path: 'Distribution', content: Buffer.from(distribution) },
    { path: 'agent.pkg/Bom', content: bom(tree) },
    { path: 'agent.pkg/PackageInfo', content: Buffer.from(packageInfo) },
    { path: 'agent.pkg/Payload', content: gzip(cpio(tree)) },
    { path: 'agent.pkg/Scripts', content: gzip(cpio(treeOf(scriptFiles))) },
  ]);
}
