import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import type { Clock } from '../../lib/clock.ts';
import { type BackgroundBuildDeps, backgroundBuild, installersOfServer } from './background-build.ts';
import { buildFolder } from './build-folder.ts';
import { downloadFiles } from './files.ts';
import { installersIn } from './installers.ts';
import { downloadRoutes } from './routes.ts';
import { updatesIn } from './updates.ts';

interface DownloadAsks extends Pick<BackgroundBuildDeps, 'builder' | 'version' | 'root_key'> {
  installers_dir: string;
}

/** The installers of the agent, and its updates. */
export function downloadFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'log' | 'limit' | 'settings'>,
  { installers_dir, ...asks }: DownloadAsks,
) {
  const { db, clock, log, limit, settings } = kernel;
  const updates = updatesIn(installers_dir, (err) => log.warn({ err }, 'the update of the agent cannot be given'));
  const builds = backgroundBuild({ ...asks, clock, log, public_url: settings.public_url, folder: buildFolder(installers_dir, clock) });
  const installers = installersOfServer(
    builds,
    installersIn(installers_dir, (err) => log.warn({ err }, 'an installer cannot be read')),
  );
  return {
    request: builds.request,
    async routes(http: FastifyInstance, { gates }: Pick<Kernel, 'gates'>) {
      downloadRoutes(http, { gates, limit, installers, builds, updates, store: freeDownloadStore(db, clock) });
      await downloadFiles(http, { installers, builds, updates });
    },
    close: builds.close,
  };
}

function freeDownloadStore(db: Db, clock: Clock) {
  return {
    /** Stores an email address once, regardless of case, with the first date. */
    agreed: (email: string) =>
      db
        .insertInto('free_downloads')
        .values({ email, agreed: clock.now() })
        .onConflict((oc) => oc.expression(sql`lower(email)`).doNothing())
        .execute(),
  };
}
