import { downloadEndpoints, type Installer, installerPlatform } from '@porchlight/contract/downloads.ts';
import { updateEndpoints } from '@porchlight/contract/updates.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import type { Kernel } from '../../kernel.ts';
import type { BackgroundBuild } from './background-build.ts';
import type { Installers } from './installers.ts';
import type { Updates } from './updates.ts';

export interface DownloadDeps extends Pick<Kernel, 'gates' | 'limit'> {
  installers: Installers;
  builds: Pick<BackgroundBuild, 'request' | 'needsMakensis'>;
  updates: Updates;
  store: { agreed(email: string): Promise<unknown> };
}

export function downloadRoutes(app: FastifyInstance, { gates, limit, installers, builds, updates, store }: DownloadDeps): void {
  bind(app, gates, updateEndpoints, { 'GET /agent/update': async () => ({ manifest: await updates.manifest() }) });
  bind(app, gates, downloadEndpoints, {
    'GET /downloads': async () => {
      // First, because a build that ends in between has made what is found then.
      const build = await builds.request();
      const items: Installer[] = [];
      for (const platform of installerPlatform.options) {
        const foundInstaller = await installers.find(platform);
        if (foundInstaller) items.push({ platform, size: foundInstaller.size, sha256: foundInstaller.sha256.toString('hex') });
      }
      return { items, build, needs_makensis: await builds.needsMakensis() };
    },

    'POST /free-download': async ({ body, ip }) => {
      // Many users may share one address.
      await limit('free-download', ip, { max: 60, per: 3_600_000 });
      if (body.email !== null) await store.agreed(body.email);
      return {};
    },
  });
}
