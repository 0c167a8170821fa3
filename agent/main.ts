import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { limits } from '@porchlight/contract/limits.ts';
import { noRecord, restoreBrowserPolicies } from './browsers/restore.ts';
import { forgetCode } from './cli/code-file.ts';
import { dnsOptions } from './cli/dns-options.ts';
import { dnsFilterPlan } from './cli/dns-plan.ts';
import { readEnrolFile, removeEnrolFile } from './cli/enrol-file.ts';
import { help } from './cli/help.ts';
import { leaveCommand, stateFolder } from './cli/leave.ts';
import { readOptions, wantsFree } from './cli/options.ts';
import { readPinInput } from './cli/pin-input.ts';
import { isUninstall, uninstallCommand } from './cli/uninstall.ts';
import { dnsMessages } from './dns-filter/messages.ts';
import { restoreDns } from './dns-filter/restore.ts';
import { readSystemClock } from './lib/clock.ts';
import { agentCommand, superviseAgent } from './lifecycle/keep-running.ts';
import { installerCode, linkFromOptions, withInstallerCode } from './lifecycle/link-at-start.ts';
import { runHere, startHere } from './lifecycle/run.ts';
import { configuredServer } from './lifecycle/server-url.ts';
import { startSupervisor, supervisedVariable, withoutKeepRunning } from './lifecycle/supervisor.ts';
import { asSuccessor } from './lifecycle/update/as-successor.ts';
import { restoreNetwork } from './network-isolation/restore.ts';
import { loadOs, serviceManagerOf, showNotice } from './os/select.ts';
import { privateFolder } from './state/files.ts';
import { openStore, type Store } from './state/store.ts';
import { openCommand } from './ui/desktop/open.ts';
import { socketsIn, systemSockets } from './ui/desktop/show-window-socket.ts';
import { withWindowSocket } from './ui/desktop/with-socket.ts';
import { messages } from './ui/messages/messages.ts';

const print = (sentence: string) => void process.stdout.write(`${sentence}\n`);

/** The entry point: no other module uses process.env, signals and exit codes, except `lifecycle/windows.ts`. */
async function main(): Promise<void> {
  const { env } = process;
  const args = process.argv.slice(2);
  if (process.platform === 'win32') return (await import('./lifecycle/windows.ts')).mainWindows(args, env);
  if (args.includes('--help') || args.includes('-h')) return print(help);
  const supervisedArgs = withoutKeepRunning(args);
  if (supervisedArgs) return process.exit(await superviseAgent(process, supervisedArgs, print));
  const data = env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share');
  const dataFolder = resolve(env.AGENT_DATA_DIR ?? join(data, 'porchlight-agent'));
  const loopback_port = Number(env.AGENT_LOOPBACK_PORT ?? limits.loopback_port);
  const ownSockets = socketsIn(dataFolder);
  const byNpm = env.npm_lifecycle_event === 'agent';
  // The agent of `npm start` has its folder beside the server's.
  const besideServer = byNpm ? [socketsIn(resolve(env.DATA_DIR || 'data', 'agent'))] : [];
  const showSentence = async (sentence: string) => {
    process.stderr.write(`${sentence}\n`);
    await showNotice(sentence, env);
  };
  const opened = await openCommand(args, {
    ...{ sockets: [ownSockets, ...besideServer, systemSockets], loopback_port, byNpm },
    print: byNpm ? async (sentence) => print(sentence) : showSentence,
  });
  if (opened !== null) return process.exit(opened);

  const leaveExit = await leaveCommand(
    args,
    async () => ({
      store: await openStore(await privateFolder(await stateFolder(env.AGENT_DATA_DIR, dataFolder)), undefined, env.AGENT_BACKUP_DIR),
      now: () => new Date(),
      log: print,
    }),
    print,
  );
  if (leaveExit !== null) return process.exit(leaveExit);

  const sites = dnsOptions(args);
  sites.system ||= env.AGENT_SYSTEM === 'on';
  const givenOptions = isUninstall(args) ? null : readOptions(sites.rest);
  const os = await loadOs(env);
  const { operator, server } = await configuredServer(process.execPath, env.PORCHLIGHT_SERVER);
  const restoreBrowsers = (store: Store | null) => restoreBrowserPolicies(os.browserPolicies(), store?.browserPolicies ?? noRecord);
  if (sites.restore) {
    for (const sentence of await restoreNetwork(os.network())) print(sentence);
    for (const sentence of await restoreBrowsers(existsSync(dataFolder) ? await openStore(dataFolder) : null)) print(sentence);
    return print(dnsMessages.restored(await restoreDns(os, new URL(server).hostname)));
  }
  const folder = await privateFolder(dataFolder);
  // Runs before the folder is locked, because the agent may run meanwhile.
  const uninstallExit = await uninstallCommand(args, async () => ({
    ...{ server, readClock: readSystemClock, log: print },
    store: await openStore(folder, undefined, env.AGENT_BACKUP_DIR),
    pin: () => readPinInput(args, process.stdin),
    restoreNetwork: () => restoreNetwork(os.network()),
    restoreDns: (host) => restoreDns(os, host),
    restoreBrowsers,
  }));
  if (uninstallExit !== null) process.exit(uninstallExit);

  const installed = givenOptions !== null && 'installed' in givenOptions;
  const options = installed ? await readEnrolFile(folder) : givenOptions;
  const serviceManager = await serviceManagerOf(env);
  const store = await openStore(folder, (name) => print(messages.terminal.damaged(name)), env.AGENT_BACKUP_DIR);
  const codeFile = env.AGENT_CODE_FILE;
  const leftCode = await installerCode(store, codeFile);
  const leave = () => process.exit(0);
  const successor = asSuccessor(process);
  const running = runHere({
    ...{ folder, os, store, server, successor, args, env, execPath: process.execPath, log: print, leave },
    boot: readSystemClock().boot,
    // An agent that the system starts may find that the successor of an update runs already.
    installed: installed || env.AGENT_SYSTEM === 'on',
    tookOver: serviceManager?.successor,
    async start(osWithNotice) {
      const agent = await startHere({
        ...{ os: osWithNotice, folder, store, server, operator, loopback_port, log: print },
        freeAgent: wantsFree(withInstallerCode(options, leftCode)),
        quarantineFolder: sites.system ? join(folder, 'kept') : null,
        sites: dnsFilterPlan(sites, process, print, {
          ...{ system: env.AGENT_SYSTEM, isAdministrator: process.getuid?.() === 0 },
          command: administratorCommand(env),
        }),
        installed: installed || env.AGENT_SYSTEM === 'on',
      });
      return withWindowSocket(agent, sites.system ? systemSockets : ownSockets);
    },
  });
  const stopNow = () =>
    void running.end(os.shuttingDown().then((down) => (down ? 'shutdown' : 'stopped'))).then(leave, () => process.exit(1));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, stopNow);
  // When the parent dies, this process ends with `npm start`, or restarts the supervisor, which starts a new agent.
  const orphaned = () => {
    if (!env[supervisedVariable]) return stopNow();
    void running
      .close()
      .finally(() => startSupervisor([...agentCommand(process), ...args], env))
      .finally(leave);
  };
  if (!successor) {
    process.once('disconnect', orphaned);
    if (process.connected === false) orphaned();
  }

  const agent = await running.started;
  await linkFromOptions(agent, { options, store, codeFromInstaller: leftCode, isRestart: env[supervisedVariable] === 'again', print });
  if (codeFile) await forgetCode(codeFile);
  if (installed) await removeEnrolFile(folder);
  if (!successor) process.send?.('ready', () => {});
}

/** With a folder of its own, because the files of an administrator and of a user do not mix. */
const administratorCommand = ({ npm_lifecycle_event }: NodeJS.ProcessEnv): string =>
  npm_lifecycle_event === 'agent'
    ? 'sudo env "PATH=$PATH" npm run agent'
    : 'sudo env "PATH=$PATH" DATA_DIR=data-of-administrator npm start';

main().catch((err: unknown) => {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exit(1);
});
