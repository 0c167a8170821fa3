import { withoutCopyWords } from './copy-names.ts';
import { foldName } from './fold.ts';

/** Browsers and Windows number what has the same name: `AnyDesk (1).exe`, `AnyDesk[1].exe`. */
const copyNumber = /(?<!\s)\s*(\(\d{1,3}\)|\[\d{1,3}\])$/;

/** RustDesk reads its server from its own file name (its custom_server.rs): `rustdesk-host=example.net,key=….exe`. */
const serverInName = /[-_ ]host=/;
/**
 * Or from `rustdesk-licensed-….exe` and `rustdesk--….exe`: base64url of JSON, reversed. JSON ends with `"}`, so that the reversed text begins in
 * one of three ways.
 */
const licenseInName = /-licensed-|--/;
const license = /^-{1,2}(?:licensed-{1,3})?(?:0ni|9j|qf)[\w-]{9,}$/;
/** A customer's QuickSupport of TeamViewer: `TeamViewerQS-idcABCDEFGH.exe`. */
const customerInName = /-idc[a-z0-9]{6,16}$/;

function withoutConfiguration(name: string): string {
  const [serverAt, licenseAt] = [name.search(serverInName), name.search(licenseInName)];
  if (serverAt > 0) return name.slice(0, serverAt);
  if (licenseAt > 0 && license.test(name.slice(licenseAt))) return name.slice(0, licenseAt);
  return name.replace(customerInName, '');
}

/** Words that describe the file, not the program. */
const noiseWords = new Set(
  `setup install installer portable latest stable release full free custom win windows win32 win64 x86 x64 x86_64 32bit 64bit 32 64 arm64
  aarch64 amd64 universal intel mac macos osx linux en us signed`.split(/\s+/),
);

/** A version (`7.0.14`, `v7`) or an id (`ad_1f3c`, `3f2a91bc`), if it also contains a digit. */
const versionOrId = /^v?[a-z0-9]{0,64}$/;

/** Characters. NTFS, APFS and the file systems of Linux have no longer names, so that the work for any text is bounded. */
export const MAX_NAME = 255;

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
  const foldedName = foldName(name.slice(0, MAX_NAME));
  const variants = [foldedName];
  let shortened = foldedName;
  const add = (variant: string) => {
    if (variant.length < minLength || variant === shortened) return false;
    variants.push(variant);
    shortened = variant;
    return true;
  };
  if (!/[^a-z0-9]/.test(foldedName)) return variants;
  while (variants.length < 5) {
    const original = copyNumber.test(shortened) ? shortened.replace(copyNumber, '') : withoutCopyWords(shortened);
    if (original === null || !add(foldName(original))) break;
  }
  add(withoutConfiguration(shortened));
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
