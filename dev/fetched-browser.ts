import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { unpackPackage } from '@porchlight/packaging/fetch.ts';
import { fetchedBrowser } from './browser.ts';

const run = promisify(execFile);
const unpack = promisify(brotliDecompress);

/**
 * A headless Chromium with the libraries that a bare Debian lacks. 68 MB to fetch and 230 MB on disk, so only computers without a browser
 * get it.
 */
const chromium = {
  name: '@sparticuz/chromium',
  version: '153.0.0',
  integrity: 'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};

const startScript = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" FONTCONFIG_PATH="$here"
exec "$here/chromium" "$@"
`;

/**
 * The font settings of a browser in `folder`. Its paths are absolute: fontconfig creates a cache with a relative path in the folder that the browser
 * was started from, such as this repository.
 */
export function fontsIn(folder: string): string {
  const path = folder.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${path}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${path}/font-cache</cachedir></fontconfig>
`;
}

export async function fetchBrowser(): Promise<void> {
  const folder = dirname(fetchedBrowser);
  if (existsSync(fetchedBrowser)) {
    // The checkout may have moved since, and the paths are absolute.
    await writeFile(join(folder, 'fonts.conf'), fontsIn(folder));
    return;
  }
  await mkdir(dirname(folder), { recursive: true });
  const workFolder = await mkdtemp(join(dirname(folder), 'unpacking-'));
  try {
    const packageFolder = await unpackPackage(chromium, workFolder);
    const bin = (name: string) => readFile(join(packageFolder, 'bin', `${name}.br`)).then((bytes) => unpack(bytes));
    const out = join(workFolder, 'browser');
    await mkdir(out);
    await writeFile(join(out, 'chromium'), await bin('chromium'), { mode: 0o755 });
    for (const name of ['al2023.tar', 'swiftshader.tar', 'fonts.tar']) {
      const archive = join(workFolder, name);
      await writeFile(archive, await bin(name));
      await run('tar', ['xf', archive, '--no-same-owner', '-C', out]);
    }
    await writeFile(join(out, 'fonts.conf'), fontsIn(folder));
    await writeFile(join(out, 'start'), startScript, { mode: 0o755 });
    await run(join(out, 'start'), ['--headless', '--no-sandbox', '--version']);
    await rm(folder, { recursive: true, force: true });
    await rename(out, folder);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}
