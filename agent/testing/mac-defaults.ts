import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Dict, isDict, type Plist, readPlist } from '../lib/plist.ts';
import type { MacNative } from '../os/macos/native.ts';
import { fakeMac } from './mac-native.ts';

export function plistXml(dict: Dict): string {
  const element = (value: Plist): string => {
    if (typeof value === 'boolean') return `<${value}/>`;
    if (typeof value === 'number') return `<integer>${value}</integer>`;
    if (isDict(value))
      return `<dict>${Object.entries(value)
        .map(([name, below]) => `<key>${name}</key>${element(below)}`)
        .join('')}</dict>`;
    return Array.isArray(value) ? `<array>${value.map(element).join('')}</array>` : `<string>${value}</string>`;
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n${element(dict)}\n</plist>\n`;
}

const typedValues: Record<string, (texts: string[]) => Plist> = {
  '-bool': ([text]) => text === 'TRUE',
  '-int': ([text]) => Number(text),
  '-string': ([text = '']) => text,
  '-array': (texts) => texts,
};

/** A Mac whose `defaults` reads and writes property lists at any path, as the real command does. */
export function macWithDefaults(): MacNative {
  const read = (path: string) => (existsSync(path) ? readPlist(readFileSync(path)) : {});
  const commands: Record<string, (path: string, rest: string[]) => string | null> = {
    export: (path) => plistXml(read(path)),
    write(path, [key = '', type = '', ...texts]) {
      writeFileSync(path, plistXml({ ...read(path), [key]: typedValues[type]?.(texts) ?? '' }), { mode: 0o600 });
      return '';
    },
    delete(path, [key = '']) {
      const { [key]: removed, ...rest } = read(path);
      if (removed === undefined) return null;
      rmSync(path);
      writeFileSync(path, plistXml(rest), { mode: 0o600 });
      return '';
    },
  };
  return {
    ...fakeMac(),
    async run(_program, [command = '', domain = '', ...rest]) {
      const out = commands[command]?.(`${domain}.plist`, rest) ?? null;
      return out === null ? { code: 1, out: '' } : { code: 0, out };
    },
  };
}
