import { brand } from '@porchlight/contract/brand.ts';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';

const endings = { windows: 'exe', macos: 'pkg', linux: 'deb' } as const satisfies Record<InstallerPlatform, string>;

/** How a download is called: `Porchlight [ABCD-EFGH].exe` with a code (9.12, P3.4), else `Porchlight.exe`; for Linux always without. `code`: as it came, and used only when it can be one. */
export function downloadName(platform: InstallerPlatform, code: unknown): string {
  // A package for Linux is installed by a program that tells it nothing of its name.
  const read = typeof code === 'string' && platform !== 'linux' ? readDeviceCode(code) : null;
  return `${brand.name}${read ? ` [${read}]` : ''}.${endings[platform]}`;
}

/** For the header Content-Disposition. A brand may have letters that a header cannot carry as they are (RFC 6266). */
export function asAttachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name)}`}`;
}
