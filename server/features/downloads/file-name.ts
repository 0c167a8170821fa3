import { brand } from '@porchlight/contract/brand.ts';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';

const endings = { windows: 'exe', macos: 'pkg', linux: 'deb' } as const satisfies Record<InstallerPlatform, string>;

/** `Porchlight [ABCD-EFGH].exe` with a valid code (9.12, P3.4), else `Porchlight.exe`. `code`: unchecked input. */
export function downloadName(platform: InstallerPlatform, code: unknown): string {
  const validCode = typeof code === 'string' && platform !== 'linux' ? readDeviceCode(code) : null;
  return `${brand.name}${validCode ? ` [${validCode}]` : ''}.${endings[platform]}`;
}

/** A Content-Disposition header; non-ASCII names are encoded (RFC 6266). */
export function asAttachment(name: string): string {
  const asciiName = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return `attachment; filename="${asciiName}"${asciiName === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name)}`}`;
}
