import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Download } from '@playwright/test';

const files = { windows: 'porchlight.exe', macos: 'porchlight.pkg' } as const;

export interface MadeUpInstallers {
  folder: string;
  /** The hashes in lower-case hex. */
  sha256: Partial<Record<keyof typeof files, string>>;
  close(): Promise<void>;
}

/** A folder with small fake installers. */
export async function installers(platforms: (keyof typeof files)[] = ['windows', 'macos']): Promise<MadeUpInstallers> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-installers-'));
  const sha256: MadeUpInstallers['sha256'] = {};
  for (const platform of platforms) {
    const content = randomBytes(100_000);
    sha256[platform] = createHash('sha256').update(content).digest('hex');
    await writeFile(join(folder, files[platform]), content);
  }
  return { folder, sha256, close: () => rm(folder, { recursive: true, force: true }) };
}

export async function savedFile(download: Download): Promise<{ name: string; sha256: string }> {
  const hash = createHash('sha256');
  for await (const piece of await download.createReadStream()) hash.update(piece as Buffer);
  return { name: download.suggestedFilename(), sha256: hash.digest('hex') };
}

export const userAgents = {
  Windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  macOS: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  Linux: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  iOS: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
};
