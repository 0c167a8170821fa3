import { foldName } from './fold.ts';

/** Endings of copies: `AnyDesk (1).exe`, `AnyDesk - Copy (2).exe`, `AnyDesk[1].exe`. */
const copySuffix = /(?<!\s)\s*(\(\d{1,3}\)|\[\d{1,3}\]|\s-\scopy|\scopy(\s\d{1,3})?)$/;
const copyOf = /^copy (\(\d{1,3}\) )?of /;

/** Words that describe the file, not the program. */
const noiseWords = new Set(
  `setup install installer portable latest stable release full free custom win windows win32 win64 x86 x64 x86_64 32bit 64bit 32 64 arm64
  aarch64 amd64 universal intel mac macos osx linux en us signed`.split(/\s+/),
);

/** A version (`7.0.14`, `v7`) or an id (`ad_1f3c`, `3f2a91bc`), if it also contains a digit. */
const versionOrId = /^v?[a-z0-9]{0,64}$/;

/** Shorter names identify nothing. */
const minLength = 5;

/** A customer code or a language: `AnyDesk-cm.exe`. */
const codeSuffix = /^[a-z]{1,3}$/;

const isNoise = (piece: string, separator: string) =>
  piece === '' ||
  noiseWords.has(piece) ||
  (/\d/.test(piece) && versionOrId.test(piece)) ||
  (/[-_]/.test(separator) && codeSuffix.test(piece));

/**
 * The folded name and its shorter forms: `teamviewer_setup_x64.exe` gives itself, `teamviewer_setup` and `teamviewer`. Unknown words stay:
 * `anydesk-remover` and `anydesk2` are other programs. At most ten.
 */
export function nameVariants(name: string): string[] {
  const foldedName = foldName(name);
  const variants = [foldedName];
  let shortened = foldedName;
  const add = (variant: string) => {
    if (variant.length < minLength || variant === shortened) return false;
    variants.push(variant);
    shortened = variant;
    return true;
  };
  if (!/[^a-z0-9]/.test(foldedName)) return variants;
  while (variants.length < 4 && copySuffix.test(shortened) && add(foldName(shortened.replace(copySuffix, '')))) {}
  add(shortened.replace(copyOf, ''));
  while (variants.length < 10) {
    const lastSeparator = Math.max(
      shortened.lastIndexOf('-'),
      shortened.lastIndexOf('_'),
      shortened.lastIndexOf('.'),
      shortened.lastIndexOf(' '),
    );
    const piece = shortened.slice(lastSeparator + 1).replace(/[()[\]]/g, '');
    if (lastSeparator < 1 || !isNoise(piece, shortened.charAt(lastSeparator)) || !add(shortened.slice(0, lastSeparator))) break;
  }
  return variants;
}
