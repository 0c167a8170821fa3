import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';
import { buildProcess } from './integrations/installers/build-process.ts';
import type { InstallerBuilder } from './integrations/installers/installers.ts';

/** A part of `main.ts`. `env`: that of the server. */
export function installerBuilder(config: Config, env: NodeJS.ProcessEnv): InstallerBuilder {
  const { data_dir, installers_dir, public_url, host, port, production } = config;
  const cache = join(data_dir, 'cache', 'installers');
  return buildProcess({
    script: fileURLToPath(new URL('../packaging/build.ts', import.meta.url)),
    // The public name may not lead here, and in production the program's own folder may be read-only.
    args: ['--server', loopbackUrl(host, port), ...(production ? ['--cache', cache] : [])],
    env,
    own: {
      DATA_DIR: data_dir,
      INSTALLERS_DIR: installers_dir,
      PUBLIC_URL: public_url,
      PORT: String(port),
      RELEASE_KEY: env.RELEASE_KEY,
      WINDOWS_CERTIFICATE: env.WINDOWS_CERTIFICATE,
      WINDOWS_CERTIFICATE_PASSWORD_FILE: env.WINDOWS_CERTIFICATE_PASSWORD_FILE,
      WINDOWS_TIMESTAMP_URL: env.WINDOWS_TIMESTAMP_URL,
      ...(production ? { npm_config_cache: join(cache, 'npm') } : {}),
    },
  });
}

/** The server's own address, on whichever address it listens. */
function loopbackUrl(host: string, port: number): string {
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}
