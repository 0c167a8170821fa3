import { foldName } from './fold.ts';

/** What a browser or a file manager puts behind the name of a second copy: `AnyDesk (1).exe`, `AnyDesk - Copy (2).exe`, `AnyDesk[1].exe`. */
const copy = /\s*(\(\d{1,3}\)|\[\d{1,3}\]|\s-\scopy|\scopy(\s\d{1,3})?)$/;
const copyOf = /^copy (\(\d{1,3}\) )?of /;

/** Pieces behind a separator that say which file it is, not which program: kind of installer, system, processor. */
const noise = new Set(
  `setup install installer portable latest stable release full free custom win windows win32 win64 x86 x64 x86_64 32bit 64bit 32 64 arm64
  aarch64 amd64 universal intel mac macos osx linux en us signed`.split(/\s+/),
);

/** A version (`7.0.14`, `v7`) or an id (`ad_1f3c`, `k4821`, `3f2a91bc`): short or long, with a digit in it. */
const numbered = /^v?[a-z0-9]{0,64}$/;

/** A rest that is shorter says too little once a piece has been taken away. */
const shortest = 5;

/** A customer's mark or a language behind a dash: `AnyDesk-cm.exe`. */
const mark = /^[a-z]{1,3}$/;

const isNoise = (piece: string, separator: string) =>
  piece === '' || noise.has(piece) || (/\d/.test(piece) && numbered.test(piece)) || (/[-_]/.test(separator) && mark.test(piece));

/**
 * A file name, folded, and then what is left of it without the pieces that people, browsers and vendors add behind a separator,
 * the whole name first: `teamviewer_setup_x64.exe` gives itself, `teamviewer_setup` and `teamviewer`. A word that is not known
 * to mean nothing stays: `anydesk-remover` and `anydesk2` are other programs. At most ten.
 */
export function nameVariants(name: string): string[] {
  const whole = foldName(name);
  const found = [whole];
  let rest = whole;
  const add = (next: string) => {
    if (next.length < shortest || next === rest) return false;
    found.push(next);
    rest = next;
    return true;
  };
  if (!/[^a-z0-9]/.test(whole)) return found;
  while (found.length < 4 && copy.test(rest) && add(foldName(rest.replace(copy, '')))) {}
  add(rest.replace(copyOf, ''));
  while (found.length < 10) {
    const cut = Math.max(rest.lastIndexOf('-'), rest.lastIndexOf('_'), rest.lastIndexOf('.'), rest.lastIndexOf(' '));
    const piece = rest.slice(cut + 1).replace(/[()[\]]/g, '');
    if (cut < 1 || !isNoise(piece, rest.charAt(cut)) || !add(rest.slice(0, cut))) break;
  }
  return found;
}
