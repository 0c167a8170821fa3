import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { browserFlags, findBrowser } from './browser.ts';
import { root } from './root.ts';

/**
 * Draws the icons of the home screen and of notifications from `lamp.svg`, with Chromium: `node dev/draw-icons.ts`. They are stored beside it,
 * because not everyone who builds the dashboard has a Chromium.
 */

interface Drawing {
  file: string;
  size: number;
  /** Width of the drawing around the lamp, which is 64 wide and 80 high. Masks cut off all but the middle four fifths. */
  width: number;
}

const drawings: Drawing[] = [
  { file: 'icon-192.png', size: 192, width: 80 },
  { file: 'icon-512.png', size: 512, width: 80 },
  { file: 'icon-maskable-512.png', size: 512, width: 100 },
  { file: 'apple-touch-icon.png', size: 180, width: 84 },
];

const lampBox = { width: 64, height: 80 };
const background = /<rect [^>]*fill="([^"]+)"\/>/;
const folder = join(root, 'dashboard', 'public');

const svg = (size: number, width: number, content: string) => {
  const left = (lampBox.width - width) / 2;
  const top = (lampBox.height - width) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="${left} ${top} ${width} ${width}" fill="none">${content}</svg>`;
};

function iconSvg(lamp: string, { size, width }: Drawing): string {
  const [left, top] = [(lampBox.width - width) / 2, (lampBox.height - width) / 2];
  const square = `<rect x="${left}" y="${top}" width="${width}" height="${width}" fill="$1"/>`;
  return svg(size, width, inside(lamp).replace(background, square));
}

/** Android shows only the opaque parts of a badge. */
const badgeSvg = (lamp: string) =>
  svg(
    96,
    72,
    inside(lamp)
      .replace(background, '')
      .replaceAll(/#[\da-f]{6}/g, '#ffffff'),
  );

const inside = (lamp: string) => lamp.replace(/^<svg[^>]*>|<\/svg>\s*$/g, '');

async function draw(browser: string, content: string, size: number, target: string): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'porchlight-icons-'));
  try {
    const page = join(temporary, 'icon.html');
    await writeFile(page, `<!doctype html><style>body{margin:0;overflow:hidden}svg{display:block}</style>${content}`);
    const flags = ['--hide-scrollbars', '--default-background-color=00000000', `--window-size=${size},${size}`, `--screenshot=${target}`];
    await promisify(execFile)(browser, [...browserFlags, ...flags, `--user-data-dir=${join(temporary, 'profile')}`, `file://${page}`]);
    await writeFile(target, compressed(await readFile(target)));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Packs the pixels of a PNG as small as they get, which Chromium has no time for. */
function compressed(png: Buffer): Buffer {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + png.readUInt32BE(at)) });
  }
  const dataOf = (type: string) => Buffer.concat(chunks.filter((chunk) => chunk.type === type).map(({ data }) => data));
  const pixels = deflateSync(inflateSync(dataOf('IDAT')), { level: 9, memLevel: 9 });
  return Buffer.concat([png.subarray(0, 8), chunk('IHDR', dataOf('IHDR')), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([numbers.subarray(0, 4), content, numbers.subarray(4)]);
}

const browser = findBrowser();
if (!browser) throw new Error('There is no Chromium to draw with. Set CHROMIUM to the path of one.');
const lamp = await readFile(join(folder, 'lamp.svg'), 'utf8');
for (const drawing of drawings) await draw(browser, iconSvg(lamp, drawing), drawing.size, join(folder, drawing.file));
await draw(browser, badgeSvg(lamp), 96, join(folder, 'badge-96.png'));
