import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { fetchedPackage } from '@porchlight/packaging/fetch.ts';
import { fetchedBrowser } from './browser.ts';

const run = promisify(execFile);
const unpack = promisify(brotliDecompress);

/** A Chromium without a window, with the libraries that a bare Debian lacks. 68 MB to fetch and 230 MB on the disk, so only computers without a browser get it. */
const chromium = {
  name: '@sparticuz/chromium',
  version: '153.0.0',
  integrity: 'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};

/** Finds its libraries and fonts beside itself. */
const starter = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" FONTCONFIG_PATH="$here"
exec "$here/chromium" "$@"
`;
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><dir>/usr/share/fonts</dir><cachedir prefix="relative">font-cache</cachedir></fontconfig>
`;

/** Fetches the browser with npm unless it is there, where \`findBrowser\` finds it. Throws a sentence when that does not work. */
export async function fetchBrowser(): Promise<void> {
  if (existsSync(fetchedBrowser)) return;
  const folder = dirname(fetchedBrowser);
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(join(dirname(folder), 'unpacking-'));
  try {
    const packed = await fetchedPackage(chromium, work);
    const bin = (name: string) => readFile(join(packed, 'bin', `${name}.br`)).then((bytes) => unpack(bytes));
    const out = join(work, 'browser');
    await mkdir(out);
    await writeFile(join(out, 'chromium'), await bin('chromium'), { mode: 0o755 });
    for (const name of ['al2023.tar', 'swiftshader.tar', 'fonts.tar']) {
      const archive = join(work, name);
      await writeFile(archive, await bin(name));
      await run('tar', ['xf', archive, '--no-same-owner', '-C', out]);
    }
    await writeFile(join(out, 'fonts.conf'), fonts);
    await writeFile(join(out, 'start'), starter, { mode: 0o755 });
    await run(join(out, 'start'), ['--headless', '--no-sandbox', '--version']);
    await rm(folder, { recursive: true, force: true });
    await rename(out, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
