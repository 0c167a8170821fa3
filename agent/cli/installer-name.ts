import { readDeviceCode } from '@porchlight/contract/codes.ts';

/**
 * The device code in an installer's file name: `Porchlight [ABCD-EFGH].exe` → `ABCD-EFGH` (9.12, P3.4). Accepts changes by browsers and
 * people: `[abcd-efgh] (1)`, other brackets, url-encoding once or twice. Null without a code, or when two codes differ.
 */
export function codeFromInstallerName(path: string): string | null {
  const codes = new Set(possibleNames(path).flatMap(codesIn));
  const [code] = codes;
  return codes.size === 1 && code !== undefined ? code : null;
}

function possibleNames(path: string): string[] {
  const names = [path];
  for (let n = 0; n < 2; n++) {
    const lastName = names.at(-1) ?? '';
    const decoded = lastName.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (decoded === lastName) break;
    names.push(decoded);
  }
  return names.map((reading) => reading.split(/[/\\]/).at(-1) ?? '');
}

function codesIn(name: string): string[] {
  return [...name.matchAll(/\[([^[\]]*)\]/g)].flatMap(([, inside = '']) => readDeviceCode(inside.replaceAll('+', ' ')) ?? []);
}
