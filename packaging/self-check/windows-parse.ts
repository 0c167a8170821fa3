import type { Finding } from './rows.ts';

export interface RegistryKey {
  key: string;
  /** Names in lower case; the default value has its name in the language of the user. */
  values: Map<string, string>;
}

/** Reads what `reg query` prints: a line for each key, and below it a line for each value. */
export function registryKeys(output: string): RegistryKey[] {
  const keys: RegistryKey[] = [];
  for (const line of output.split(/\r?\n/)) {
    if (line.startsWith('HKEY_')) keys.push({ key: line.trim(), values: new Map() });
    const [, name, content] = /^ {4}(.+?) {4}REG_\w+(?: {4}(.*))?$/.exec(line) ?? [];
    if (name !== undefined) keys.at(-1)?.values.set(name.toLowerCase(), content?.trim() ?? '');
  }
  return keys;
}

/** The last part of a key. */
export const leafOf = (key: string) => key.slice(key.lastIndexOf('\\') + 1);

/** The state of `sc query`; its words are the same in every language. Null when unknown. */
export const serviceState = (output: string) => /:\s*\d\s+(RUNNING|STOPPED|PAUSED|START_PENDING|STOP_PENDING)\b/.exec(output)?.[1] ?? null;

/** From `sc queryex`. Null while the service has no process. */
export function servicePid(output: string): number | null {
  const pid = Number(/^[ \t]*PID\s*:\s*(\d+)\s*$/m.exec(output)?.[1] ?? 0);
  return pid > 0 && serviceState(output) === 'RUNNING' ? pid : null;
}

/** Owner and access rules of an SDDL string. Null when it is none. */
export function readSddl(output: string) {
  const text = /(?<!\S)\S*D:[A-Z]*(?:\([^()]*\))+/.exec(output)?.[0];
  if (text === undefined) return null;
  const access = text.slice(text.indexOf('D:')).split('S:')[0] ?? '';
  const rules = [...access.matchAll(/\(([^()]*)\)/g)].map(([, rule = '']) => {
    const [type = '', , rights = '', , , who = ''] = rule.split(';');
    return { allows: type !== 'D', rights, who };
  });
  return { owner: /O:(S-[\d-]+|[A-Z]{2})/.exec(text)?.[1] ?? null, rules };
}

/** The system and administrators, as abbreviations and as identifiers. */
const trusted = new Set(['SY', 'BA', 'S-1-5-18', 'S-1-5-32-544']);
export const isTrusted = (who: string) => trusted.has(who);

/** Rights of files and pipes, in letters or as a number. Null when they are unknown. */
function fileRights(rights: string): number | null {
  const [all, read, write] = [0x1f01ff, 0x120089, 0x120116];
  const known: Record<string, number> = { FA: all, FR: read, FW: write, FX: 0x1200a0, GA: all, GR: read, GW: write };
  if (/^0x[0-9a-f]+$/i.test(rights)) return Number(rights);
  return (rights.match(/../g) ?? []).reduce<number | null>((sum, two) => {
    const bits = known[two];
    return sum === null || bits === undefined ? null : sum | bits;
  }, 0);
}

/** Whether nobody but the system and administrators has any of these rights. */
export function isReservedForTrusted(output: string, forbidden: number): Finding {
  const sddl = readSddl(output);
  if (!sddl || sddl.rules.length === 0) return null;
  const others = sddl.rules.filter(({ allows, who }) => allows && !isTrusted(who)).map(({ rights }) => fileRights(rights));
  if (others.includes(null)) return null;
  return others.every((rights) => ((rights ?? 0) & forbidden) === 0);
}

/** Stopping a service, changing or deleting it, and changing who may. */
const serviceRights = new Set(['WP', 'DT', 'DC', 'SD', 'WD', 'WO', 'GA', 'GW', 'KA']);

/** Whether only the system may stop, change or delete a service, from `sc sdshow`. */
export function isServiceReserved(output: string): Finding {
  const sddl = readSddl(output);
  if (!sddl || sddl.rules.length === 0) return null;
  const others = sddl.rules.filter(({ allows, who }) => allows && who !== 'SY');
  if (others.some(({ rights }) => !/^([A-Z]{2})*$/.test(rights))) return null;
  return others.every(({ rights }) => !(rights.match(/../g) ?? []).some((two) => serviceRights.has(two)));
}

/** Whether the service is restarted three times after a second, from its registry value `FailureActions`. */
export function restartsThreeTimes(hex: string | undefined): Finding {
  if (hex === undefined || !/^[0-9a-f]{40,}$/i.test(hex)) return null;
  const bytes = Buffer.from(hex, 'hex');
  const count = bytes.readUInt32LE(12);
  if (bytes.length < 20 + count * 8) return null;
  const actions = Array.from({ length: count }, (_, n) => [bytes.readUInt32LE(20 + n * 8), bytes.readUInt32LE(24 + n * 8)]);
  // 1: restart the service.
  return count === 3 && actions.every(([type, delayMs]) => type === 1 && delayMs === 1000);
}
