#!/usr/bin/env node
// A bare Debian in a chroot has no systemd. Under the names of systemctl, systemd-run and journalctl this does what the pages of docs/operating
// ask of it: it reads the same unit files, and starts the same programs as the same users. It restricts nothing that they restrict.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const [program, args] = [basename(process.argv[1]), process.argv.slice(2)];
const run = '/run/fake-systemd';
mkdirSync(run, { recursive: true });

/** The settings of a unit; each may be there more than once. */
function unit(name) {
  const settings = {};
  for (const line of readFileSync(join('/etc/systemd/system', name), 'utf8').split('\n')) {
    const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (key) (settings[key] ??= []).push(value);
  }
  return settings;
}

const pairs = (text) => Object.fromEntries([...text.matchAll(/(\w+)=(\S*)/g)].map(([, key, value]) => [key, value]));
/** A file of KEY=value lines, whose values may have spaces. */
const environmentIn = (file) =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (/^[A-Za-z_]\w*=/.test(line) ? [[line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]] : [])),
  );

function start({ user, group, cwd, env, command, log }) {
  const identity = user ? ['setpriv', `--reuid=${user}`, `--regid=${group ?? user}`, '--init-groups'] : [];
  const path = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
  const output = log ? openSync(log, 'a', 0o644) : 'inherit';
  const words = [...identity, ...(Array.isArray(command) ? command : ['sh', '-c', `exec ${command}`])];
  return { words, options: { cwd, env: { ...path, ...env }, stdio: ['ignore', output, output] } };
}

function ownFolder(path, { user, group }) {
  const id = (option, of) => Number(spawnSync('id', [option, of], { encoding: 'utf8' }).stdout);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (user) chownSync(path, id('-u', user), id('-g', group ?? user));
}

function prepared(name) {
  const settings = unit(name);
  const [user, group] = [settings.User?.[0], settings.Group?.[0]];
  for (const [key, base] of [
    ['StateDirectory', '/var/lib'],
    ['CacheDirectory', '/var/cache'],
    ['RuntimeDirectory', '/run'],
  ]) {
    for (const folder of settings[key] ?? []) {
      ownFolder(join(base, folder), { user, group });
    }
  }
  const env = Object.assign(
    {},
    ...(settings.Environment ?? []).map(pairs),
    ...(settings.EnvironmentFile ?? []).map((file) => environmentIn(file.replace(/^-/, ''))),
  );
  const log = `/var/log/${name}.log`;
  for (const before of settings.ExecStartPre ?? []) {
    // A command with a plus runs as root.
    const pre = start({ ...(before.startsWith('+') ? {} : { user, group }), env, command: before.replace(/^\+/, ''), log });
    if (spawnSync(pre.words[0], pre.words.slice(1), pre.options).status !== 0) process.exit(1);
  }
  return {
    type: settings.Type?.[0],
    restart: settings.Restart?.[0],
    ...start({ user, group, cwd: settings.WorkingDirectory?.[0], env, command: settings.ExecStart[0], log }),
  };
}

const pidFile = (name) => join(run, `${name}.pid`);

const services = {
  postgresql: { start: 'pg_ctlcluster 15 main start', restart: 'pg_ctlcluster 15 main restart', stop: 'pg_ctlcluster 15 main stop' },
  caddy: {
    start: 'caddy start --config /etc/caddy/Caddyfile',
    reload: 'caddy reload --config /etc/caddy/Caddyfile || caddy start --config /etc/caddy/Caddyfile',
    stop: 'caddy stop',
  },
};

function change(action, name) {
  const own = services[name];
  if (own) {
    // What it starts must not keep the output of this command open.
    const done = spawnSync('sh', ['-c', own[action] ?? 'true'], {
      stdio: ['ignore', openSync(`/var/log/${name}.log`, 'a'), openSync(`/var/log/${name}.log`, 'a')],
    });
    return done.status ?? 1;
  }
  const service = /\.(service|timer)$/.test(name) ? name : `${name}.service`;
  if (service.endsWith('.timer')) return 0;
  if (action === 'stop' || action === 'restart') stop(service);
  if (action === 'stop') return 0;
  const { type, words, options } = prepared(service);
  if (type === 'oneshot') return spawnSync(words[0], words.slice(1), options).status ?? 1;
  const keeper = spawn(process.execPath, [process.argv[1], 'keep', service], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, FAKE_SYSTEMD: 'keep' },
  });
  writeFileSync(pidFile(service), String(keeper.pid));
  keeper.unref();
  return 0;
}

function stop(service) {
  if (!existsSync(pidFile(service))) return;
  const pid = Number(readFileSync(pidFile(service), 'utf8'));
  const alive = () => existsSync(`/proc/${pid}`);
  spawnSync('kill', [String(pid)]);
  while (alive()) spawnSync('sleep', ['0.1']);
  rmSync(pidFile(service), { force: true });
}

/** The process that restarts a service, as Restart=always does, until it is ended. */
function keep(service) {
  const { words, options } = prepared(service);
  let stopping = false;
  let child;
  process.on('SIGTERM', () => {
    stopping = true;
    child.kill('SIGTERM');
  });
  const begin = () => {
    child = spawn(words[0], words.slice(1), options);
    child.on('exit', (code, signal) => {
      appendFileSync(`/var/log/${service}.log`, `fake-systemd: ended with ${code ?? signal}\n`);
      if (stopping) process.exit(0);
      setTimeout(begin, 3_000);
    });
  };
  begin();
}

function systemdRun() {
  const [env, user, group, cwd] = [{}, undefined, undefined, undefined];
  const found = { env, user, group, cwd };
  let at = 0;
  for (; args[at]?.startsWith('--'); at++) {
    const [, key, value = ''] = /^--([\w-]+)=?(.*)$/.exec(args[at]) ?? [];
    if (key === 'uid') found.user = value;
    if (key === 'gid') found.group = value;
    if (key === 'working-directory') found.cwd = value;
    if (key === 'setenv') Object.assign(env, pairs(value));
    if (key === 'property' && value.startsWith('EnvironmentFile='))
      Object.assign(env, environmentIn(value.slice('EnvironmentFile='.length)));
    if (key === 'property' && value.startsWith('StateDirectory='))
      ownFolder(join('/var/lib', value.slice('StateDirectory='.length)), found);
  }
  const { words, options } = start({ ...found, command: args.slice(at) });
  return spawnSync(words[0], words.slice(1), options).status ?? 1;
}

if (process.env.FAKE_SYSTEMD === 'keep') keep(args[1]);
else if (program === 'systemd-run') process.exitCode = systemdRun();
else if (program === 'journalctl')
  process.stdout.write(
    readFileSync(`/var/log/${args[args.indexOf('-u') + 1]}.service.log`, 'utf8')
      .split('\n')
      .slice(-21)
      .join('\n'),
  );
else {
  const [action, ...rest] = args;
  const names = rest.filter((word) => !word.startsWith('-'));
  const does = { enable: rest.includes('--now') ? 'start' : 'nothing', start: 'start', restart: 'restart', reload: 'reload', stop: 'stop' }[
    action
  ];
  if (does && does !== 'nothing') for (const name of names) process.exitCode ||= change(does, name);
}
