import { readDeviceCode } from '@porchlight/contract/codes.ts';

/**
 * The device code in the name of an installer: `Porchlight [ABCD-EFGH].exe` → `ABCD-EFGH` (9.12, P3.4). It forgives what browsers and people
 * make of such a name: `[abcd-efgh] (1)`, other brackets beside it, spaces and brackets that are url-encoded, once or twice. Null when there is
 * none, or when two differ: nobody can say which one was meant.
 */
export function codeFromInstallerName(path: string): string | null {
  const codes = new Set(readings(path).flatMap(codesIn));
  const [code] = codes;
  return codes.size === 1 && code !== undefined ? code : null;
}

/** The name as it is, and as it was before it was encoded once and twice. */
function readings(path: string): string[] {
  const all = [path];
  for (let n = 0; n < 2; n++) {
    const last = all.at(-1) ?? '';
    const decoded = last.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (decoded === last) break;
    all.push(decoded);
  }
  return all.map((reading) => reading.split(/[/\\]/).at(-1) ?? '');
}

function codesIn(name: string): string[] {
  return [...name.matchAll(/\[([^[\]]*)\]/g)].flatMap(([, inside = '']) => readDeviceCode(inside.replaceAll('+', ' ')) ?? []);
}
