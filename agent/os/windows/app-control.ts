import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeniedContents } from '../port.ts';
import { type AppControlCommandsDeps, appControlCommands } from './app-control-commands.ts';
import type { Registry } from './native/registry.ts';
import { settingsKey } from './settings.ts';

/** `audit`: Windows only writes an event for what it would deny. Null: switched off. */
export type TriedMode = 'enforced' | 'audit' | null;

/** The name of the switch, in the environment of the service and among the settings. */
const switchName = 'AGENT_TRY_UNSEEN';
/** What the installed policy is made from, as a hash; `off` when it denies nothing, `unfinished` while it changes. */
const contentValue = 'AppControl';
const versionValue = 'AppControlVersion';
const [offContent, unfinishedContent] = ['off', 'unfinished'];
/** Windows 10 1903, the first with several policies beside each other. */
const MIN_BUILD = 18_362;

const messages = {
  failed: (why: string) => `Renamed programs are not denied by Windows itself, because that failed: ${why}`,
  stays: (why: string) => `The App Control policy of Porchlight could not be removed: ${why}`,
  onlyRecorded:
    'Renamed programs are only recorded in the event log of Windows, because this version applies changes only when it restarts.',
} as const;

/** Off until somebody has seen it on a real computer: `on` enforces, `audit` only records. */
export function triedMode(registry: Pick<Registry, 'read'>, env: NodeJS.ProcessEnv): TriedMode {
  const value = registry.read(settingsKey, switchName) ?? env[switchName];
  return value === 'on' ? 'enforced' : value === 'audit' ? 'audit' : null;
}

export interface AppControlDeps extends AppControlCommandsDeps {
  registry: Pick<Registry, 'read' | 'write' | 'removeValue'>;
  mode: TriedMode;
  /** The build of Windows, such as 22631. */
  build: number;
  log: (sentence: string) => void;
}

/**
 * A second layer beside denied file names: an App Control policy, which Windows itself obeys. It works beside the protection, which never
 * waits for it: one change at a time, and of several only the last. A failure switches it off until the next start of the agent.
 */
export function appControl({ registry, mode, build, log: writeLog, ...commandsDeps }: AppControlDeps) {
  const commands = appControlCommands(commandsDeps);
  const log = (sentence: string) => {
    try {
      writeLog(sentence);
    } catch {
      // A full disk must not end the agent: nobody waits for this work.
    }
  };
  let wanted: DeniedContents | null = null;
  let working: Promise<void> | null = null;
  let aborting = new AbortController();
  /** So that a policy whose file Windows has elsewhere is not made again and again. */
  let appliedContent: string | null = null;
  let hasFailed = false;
  let isRecordingLogged = false;

  const contentNow = () => registry.read(settingsKey, contentValue);
  // The file outlives the settings, which an uninstaller may have deleted.
  const hasPolicy = () => contentNow() !== null || commands.isInstalled();
  const takeVersions = () => {
    const version = Number(registry.read(settingsKey, versionValue) ?? 0);
    registry.write(settingsKey, versionValue, version + 2);
    return { policy: version + 1, off: version + 2 };
  };
  /** Where changes need a restart, a tool that is allowed again could not start, so nothing is enforced there. */
  const usableMode = (tried: 'enforced' | 'audit') => {
    if (commands.hasCiTool() || tried === 'audit') return tried;
    if (!isRecordingLogged) log(messages.onlyRecorded);
    isRecordingLogged = true;
    return 'audit';
  };

  const turnOff = async (signal: AbortSignal) => {
    registry.write(settingsKey, contentValue, unfinishedContent);
    await commands.install('off', signal);
    registry.write(settingsKey, contentValue, offContent);
  };
  const remove = async (signal: AbortSignal) => {
    // What denies nothing is in force at once; the removal may need a restart.
    if (commands.hasOff() && contentNow() !== offContent) await turnOff(signal).catch(() => {});
    await commands.remove(signal);
    registry.removeValue(settingsKey, contentValue);
  };
  const apply = async (denied: DeniedContents, tried: 'enforced' | 'audit', signal: AbortSignal) => {
    if (denied.count() === 0) {
      if (!hasPolicy() || contentNow() === offContent) return;
      return commands.hasOff() ? turnOff(signal) : remove(signal);
    }
    if (build < MIN_BUILD) throw new Error('this version of Windows has room for one policy only');
    const usable = usableMode(tried);
    const content = createHash('sha256')
      .update(denied.text({ mode: usable, version: 0 }))
      .digest('hex');
    if (contentNow() === content && (commands.isInstalled() || appliedContent === content)) return;
    const versions = takeVersions();
    const texts = {
      policy: denied.text({ mode: usable, version: versions.policy }),
      off: denied.text({ mode: 'off', version: versions.off }),
    };
    await commands.convert(texts, signal);
    // The mark comes first, so that an interrupted change is done again.
    registry.write(settingsKey, contentValue, unfinishedContent);
    await commands.install('policy', signal);
    registry.write(settingsKey, contentValue, content);
    appliedContent = content;
  };
  const removeOrLog = (signal: AbortSignal) => remove(signal).catch((err: Error) => log(messages.stays(err.message)));
  const work = async (tried: 'enforced' | 'audit', signal: AbortSignal) => {
    // Not within the turn of the protection, which has programs to end.
    await nextTurn();
    while (wanted && !hasFailed && !signal.aborted) {
      const next = wanted;
      wanted = null;
      try {
        await apply(next, tried, signal);
      } catch (err) {
        if (signal.aborted) return;
        hasFailed = true;
        log(messages.failed(err instanceof Error ? err.message : String(err)));
        // A policy of before may deny what is allowed meanwhile.
        if (hasPolicy()) await removeOrLog(signal);
      }
    }
  };
  const begin = (tried: 'enforced' | 'audit') => {
    working ??= work(tried, aborting.signal)
      .catch((err: unknown) => log(messages.failed(String(err))))
      .finally(() => {
        working = null;
        if (wanted && !hasFailed) begin(tried);
      });
  };
  /** Ends the running command. What it leaves is `unfinished`, or as it was. */
  const interrupt = async () => {
    wanted = null;
    aborting.abort();
    aborting = new AbortController();
    await working;
  };

  return {
    isOn: mode !== null,
    /** Returns at once. */
    deny(denied: DeniedContents): void {
      if (mode === null || hasFailed) return;
      wanted = denied;
      begin(mode);
    },
    /** For an agent whose successor goes on with the policy as it is. */
    handOver: interrupt,
    /** Resolves when nothing is left to do. */
    async settled(): Promise<void> {
      while (working) await working;
    },
    /** Removes the policy, also of an earlier agent. After a crash, or for a restart of Windows, it stays for the next agent. */
    async restore(reason: 'stopped' | 'shutdown' | 'killed' | 'removed'): Promise<void> {
      await interrupt();
      const staysForNext = mode !== null && (reason === 'killed' || reason === 'shutdown');
      if (!staysForNext && hasPolicy()) await removeOrLog(aborting.signal);
    },
  };
}
