import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

const id = 'trial@extension.example';
const files = {
  'manifest.json': JSON.stringify({
    ...{ manifest_version: 3, name: 'Trial', version: '1', browser_specific_settings: { gecko: { id } } },
    content_scripts: [{ matches: ['<all_urls>'], js: ['page.js'], run_at: 'document_end' }],
  }),
  'page.js': "document.documentElement.dataset.extension = 'works';",
};
/** On a page, whether the extension works there. */
export const extensionOnPage = "document.documentElement.dataset.extension || (document.readyState === 'complete' && 'missing')";

/** The flag that starts Chromium with this extension. */
export function extensionFlag(home: string): string {
  const folder = join(home, 'extension');
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return `--load-extension=${folder}`;
}

/** A profile of Firefox ESR, which alone takes an extension without Mozilla's signature, in which somebody has installed it. */
export function firefoxWithExtension(profile: string): void {
  mkdirSync(join(profile, 'extensions'), { recursive: true });
  writeFileSync(join(profile, 'extensions', `${id}.xpi`), zipOf(files));
  const settings = { 'extensions.autoDisableScopes': 0, 'xpinstall.signatures.required': false };
  const lines = Object.entries(settings).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
}

/** Uncompressed. See the record layouts of the ZIP specification (APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16). */
function zipOf(contents: Record<string, string>): Buffer {
  const [locals, entries]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(contents)) {
    const [nameBytes, data] = [Buffer.from(name), Buffer.from(content)];
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt32LE(crc32(data), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(data.length, 18);
    shared.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, nameBytes, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, rest, nameBytes]));
    locals.push(local);
    offset += local.length;
  }
  const size = entries.reduce((sum, entry) => sum + entry.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...entries, end]);
}
