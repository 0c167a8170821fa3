import { win32 } from 'node:path';
import { openRegistry, type Registry } from './native/registry.ts';

/** Where the installer leaves what it was told. */
export const settingsKey = 'SOFTWARE\\Porchlight';

export interface Settings {
  /** The folder for state and log: what the environment of a service says of it is not always true. */
  home: string | undefined;
  /** Undefined for the usual one. */
  server: string | undefined;
  /** Undefined for the usual one. Only for trying things out: the dashboard looks for us at the usual one. */
  port: number | undefined;
  /** What was asked for when it was installed, as the command line would say it; null when that is done. */
  options<T>(read: (args: string[]) => T): T | null;
  /** It is done, or refused: not to be tried at every start. */
  used(): void;
}

/** What the installer left: the address of the server, and once the name under which it was downloaded, or a code that was typed. */
export function installed(registry: Registry = openRegistry()): Settings {
  const text = (name: string) => {
    const value = registry.read(settingsKey, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    home: text('Data'),
    server: text('Server'),
    port: text('Port') === undefined ? undefined : Number(text('Port')),
    options(read) {
      const [code, installer] = [text('Code'), text('Installer')];
      if (code) return read(['--code', code]);
      return installer ? read(['--installer', installer]) : null;
    },
    used() {
      registry.removeValue(settingsKey, 'Code');
      registry.removeValue(settingsKey, 'Installer');
    },
  };
}

/** The same, with the usual folder where none is named. */
export function placeOf(env: NodeJS.ProcessEnv): Settings & { home: string } {
  const settings = installed();
  return { ...settings, home: settings.home ?? win32.join(env.ProgramData ?? 'C:\\ProgramData', 'Porchlight') };
}
