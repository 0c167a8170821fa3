import { win32 } from 'node:path';
import { openRegistry, type Registry } from './native/registry.ts';

/** The registry key where the installer stores its settings. */
export const settingsKey = 'SOFTWARE\\Porchlight';

export interface Settings {
  /** The folder for state and log; a service's environment may name a wrong one. */
  home: string | undefined;
  server: string | undefined;
  /** Only for tests: the dashboard expects the default port. */
  port: number | undefined;
  /** The installer's options as command-line arguments, or null once used. */
  options<T>(read: (args: string[]) => T): T | null;
  /** Deletes the options after success or refusal, so that they are not retried at every start. */
  used(): void;
}

/** The server address and, until used, the installer's file name or a typed code. */
export function installedSettings(registry: Registry = openRegistry()): Settings {
  const readText = (name: string) => {
    const value = registry.read(settingsKey, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    home: readText('Data'),
    server: readText('Server'),
    port: readText('Port') === undefined ? undefined : Number(readText('Port')),
    options(read) {
      const [code, installer] = [readText('Code'), readText('Installer')];
      if (code) return read(['--code', code]);
      return installer ? read(['--installer', installer]) : null;
    },
    used() {
      registry.removeValue(settingsKey, 'Code');
      registry.removeValue(settingsKey, 'Installer');
    },
  };
}

/** The installer's settings, with the default folder if none is set. */
export function settingsWithHome(env: NodeJS.ProcessEnv): Settings & { home: string } {
  const settings = installedSettings();
  return { ...settings, home: settings.home ?? win32.join(env.ProgramData ?? 'C:\\ProgramData', 'Porchlight') };
}
