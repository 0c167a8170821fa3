import type { InstallerBuild } from '@porchlight/contract/downloads.ts';
import type { Logger } from 'pino';
import type { InstallerBuilder } from '../../integrations/installers/installers.ts';
import type { Clock } from '../../lib/clock.ts';
import type { BuildFolder } from './build-folder.ts';
import type { Installers } from './installers.ts';

/** In milliseconds, from a failure to the next build. */
const retry_ms = 10 * 60_000;

export interface BackgroundBuildDeps {
  /** Null: this server builds nothing. */
  builder: InstallerBuilder | null;
  folder: BuildFolder;
  clock: Clock;
  log: Logger;
  version: string;
  public_url: string;
  /** The root key of this server. Agents with the one before it follow the list of keys, so their installers are only renewed. */
  root_key: string;
}

export interface BackgroundBuild {
  /** Begins a build if one is needed, and does not wait for it. */
  request(): Promise<InstallerBuild>;
  /** Whether the installers lead to the address of this server. Those of an earlier address would protect nobody. */
  leadHere(): Promise<boolean>;
  /** The last build left the installer for Windows out. */
  needsMakensis(): Promise<boolean>;
  /** Ends a running build, which begins again at the next request. */
  close(): Promise<void>;
}

/** The installers are built again when one of these has changed. */
const wanted = ['version', 'public_url', 'root_key'] as const;

/** Builds what people install, one build at a time, when somebody asks for a download and nothing usable is there. */
export function backgroundBuild(deps: BackgroundBuildDeps): BackgroundBuild {
  const { builder, folder, clock, log } = deps;
  const stop = new AbortController();
  let running: Promise<void> | null = null;
  let deciding: Promise<InstallerBuild> | null = null;
  let lastFailure: Awaited<ReturnType<BuildFolder['failure']>> = null;
  let lastInterruption: Date | null = null;

  const isRecent = (moment: Date | null) => moment !== null && clock.now().getTime() - moment.getTime() < retry_ms;

  const noteFailure = async (reason: NonNullable<typeof lastFailure>['reason'], message: string) => {
    lastFailure = { reason, at: clock.now() };
    await folder.noteFailure(reason);
    log.warn(
      { operator: true },
      `The installers that people download could not be built. ${message} The server tries again when someone asks for a download, after 10 minutes.`,
    );
  };

  const noteBuilt = async (notes: string[]) => {
    lastFailure = null;
    await folder.forgetFailure();
    log.info({ operator: true }, 'The installers that people download are ready.');
    for (const note of notes) log.info({ operator: true }, note);
    if ((await folder.built())?.needs_makensis) log.warn({ operator: true }, makensisWords);
  };

  /** Out of memory, for example. The first time it may be chance. */
  const noteInterruption = async () => {
    if (stop.signal.aborted) return;
    if (isRecent(lastInterruption))
      await noteFailure('other', 'Something on this computer ended the build twice, perhaps for lack of memory.');
    lastInterruption = clock.now();
  };

  const build = async (by: InstallerBuilder) => {
    log.info({ operator: true }, 'The installers that people download are being built in the background, which takes a few minutes.');
    const result = await by.build(stop.signal);
    if (result.end === 'built') await noteBuilt(result.notes);
    if (result.end === 'failed') await noteFailure(result.reason, result.message);
    if (result.end === 'interrupted') await noteInterruption();
  };

  const isNeeded = async (by: InstallerBuilder): Promise<boolean> => {
    const built = await folder.built();
    if (!built) return !(await folder.hasOnlyOwn());
    const isCurrent = built.complete && wanted.every((name) => built[name] === deps[name]);
    // Perhaps only one of the servers that share the folder has the certificate: the others leave its signed files as they are.
    const signedWith = await by.signedWith();
    if (!isCurrent || (signedWith !== null && built.signed_with !== signedWith)) return true;
    const present = await Promise.all(built.installers.map(folder.has));
    return present.includes(false) || (built.needs_makensis && (await by.hasMakensis()));
  };

  const decide = async (): Promise<InstallerBuild> => {
    if (!builder || stop.signal.aborted) return { state: 'idle' };
    const progress = await folder.running();
    if (running || progress) return { state: 'building', progress: progress === 'starting' ? null : progress };
    if (!(await isNeeded(builder))) return { state: 'idle' };
    const failure = lastFailure ?? (await folder.failure());
    if (failure && isRecent(failure.at)) return { state: 'failed', reason: failure.reason };
    running = build(builder)
      .catch((err: unknown) => log.error({ err }, 'the end of a build of the installers could not be noted'))
      .finally(() => {
        running = null;
      });
    return { state: 'building', progress: null };
  };

  return {
    request() {
      // Requests at the same moment share one decision, so that they begin one build.
      deciding ??= decide().finally(() => {
        deciding = null;
      });
      return deciding;
    },
    async leadHere() {
      const built = await folder.built();
      return built === null || built.public_url === deps.public_url;
    },
    needsMakensis: async () => (await folder.built())?.needs_makensis ?? false,
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** The installers of the folder, while they lead to this server. */
export const installersOfServer = (builds: Pick<BackgroundBuild, 'leadHere'>, installers: Installers): Installers => ({
  find: async (platform) => ((await builds.leadHere()) ? installers.find(platform) : null),
});

const makensisWords =
  'There is no installer for Windows yet, because makensis is not on this computer. On Debian and Ubuntu: apt-get install nsis. It is built the next time that someone asks for a download.';
