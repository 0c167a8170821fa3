import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../call.ts';
import { acceptedGuardian } from '../guardians.ts';
import { type Person, registeredPerson } from '../people.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';
import { startWine, type Wine, wineMissing } from '../wine.ts';
import { startWorld, type World } from '../world.ts';
import { buildAgent, buildFakeTool, buildInstaller } from './build.ts';

const missing = wineMissing();
if (missing) console.log(`The agent for Windows was not tried: ${missing}.`);

const tool = { name: 'renamed-support.exe', original_name: 'AnyDesk.exe', product: 'AnyDesk', company: 'AnyDesk Software GmbH' };
const withService = { name: 'helper.exe', original_name: 'rustdesk.exe', product: 'RustDesk', company: 'Purslane Ltd' };
const denied = 'HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options\\AnyDesk.exe';
const policyTable = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\Dnscache\\Parameters\\DnsPolicyConfig';

/** The whole way of the Windows program, in the order in which a person meets it. */
describe.skipIf(missing !== null)('on Windows, in wine', { timeout: 60_000 }, () => {
  let work: string;
  let stage: string;
  let wine: Wine;
  let world: World;
  let person: Person;
  let guardian: { email: string };
  let device: { uuid: string; login_code: string };
  let port: number;

  beforeAll(async () => {
    work = await mkdtemp(join(tmpdir(), 'porchlight-windows-'));
    [stage, wine, world, port] = await Promise.all([buildAgent(work), startWine(), startWorld(), freePort()]);
    person = await registeredPerson(world);
    guardian = await acceptedGuardian(world, person);
    device = await call(world.url, 'POST /web/create-device', { token: person.token, body: { name: 'Mum’s PC' } });
  }, 120_000);
  afterAll(async () => {
    await wine?.close();
    await world?.close();
    await rm(work, { recursive: true, force: true });
  }, 60_000);

  const detections = async () =>
    (await call(world.url, 'GET /web/detections', { token: person.token, query: {} })).items.map(({ info }) => info);
  const registry = async (...args: string[]) => (await wine.run('reg', 'query', ...args)).said;
  const service = async (name: string) => (await wine.run('sc', 'query', name)).said;
  const log = () => readFile(join(wine.drive, 'ProgramData', 'Porchlight', 'agent.log'), 'utf8');
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/.well-known/`).then(
      () => true,
      () => false,
    );
  const onC = (path: string) => join(wine.drive, ...path.split('\\'));

  it('[9.12] installs silently, and becomes the device whose code stands in the name of the file', async () => {
    const setup = join(work, `Porchlight [${device.login_code.toLowerCase()}] (1).exe`);
    await buildInstaller(stage, '1.0.0', setup);
    await wine.run('reg', 'add', 'HKLM\\SOFTWARE\\Porchlight', '/v', 'Port', '/d', String(port));
    expect((await wine.run(setup, '/S', `/SERVER=${world.url}`)).code).toBe(0);
    await until('the service', async () => (await service('Porchlight')).includes('RUNNING'));
    await until(
      'the device',
      async () => (await call(world.url, 'GET /web/devices/:id', { token: person.token, params: { id: device.uuid } })).info.name !== '',
    );
    expect(await answers()).toBe(true);
    await until('protection', async () => (await log()).includes('protects this computer as Mum’s PC'));
    expect(await registry('HKLM\\SOFTWARE\\Classes\\porchlight\\shell\\open\\command')).toContain('--open');
    expect(await registry('HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Run')).toContain('--window');
    expect(await registry('HKLM\\SOFTWARE\\Porchlight')).not.toContain('Installer');
  });

  it('[P4.3] keeps listed names from starting', async () => {
    await until('the entry', async () => (await registry(denied)).includes('--blocked'));
  });

  it('ends a renamed tool by what its file says of itself; the server knows, and the family has a mail', async () => {
    await buildFakeTool(onC('users\\Public\\got'), tool);
    const running = wine.start(`C:\\users\\Public\\got\\${tool.name}`, 'C:\\users\\Public\\got\\tool.cjs');
    await running.ended;
    const [found] = await until('the detection', async () => {
      const all = await detections();
      return all.length ? all : null;
    });
    expect(found).toMatchObject({ name: 'AnyDesk', blocked: true });
    await until('the mail', async () =>
      (await world.mailbox()).some(({ to, text }) => to.includes(guardian.email) && text.includes('AnyDesk')),
    );
  });

  it('stops the service of a tool, and it stays stopped', async () => {
    await buildFakeTool(onC('tools'), withService);
    await wine.run(
      'sc',
      'create',
      'RemoteHelp',
      'binPath=',
      `C:\\tools\\${withService.name} C:\\tools\\tool.cjs --service`,
      'start=',
      'auto',
    );
    await wine.run('net', 'start', 'RemoteHelp');
    await until('its end', async () => (await service('RemoteHelp')).includes('STOPPED'));
    const config = async () => registry('HKLM\\System\\CurrentControlSet\\Services\\RemoteHelp', '/v', 'Start');
    await until('that it is disabled', async () => (await config()).includes('0x4'));
    await until('the detection', async () => (await detections()).some(({ name, blocked }) => name === 'RustDesk' && blocked));
    await wine.run('net', 'start', 'RemoteHelp');
    expect(await service('RemoteHelp')).toContain('STOPPED');
  });

  it('is upgraded over itself: the same device, with its service up again', async () => {
    const setup = join(work, 'Porchlight.exe');
    await buildInstaller(stage, '1.0.1', setup);
    const before = (await log()).split('The service has started.').length;
    expect((await wine.run(setup, '/S')).code).toBe(0);
    await until('the start', async () => (await log()).split('The service has started.').length === before + 1);
    expect(await service('Porchlight')).toContain('RUNNING');
    expect(await registry('HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Porchlight')).toContain('1.0.1');
    await until('the entry', async () => (await registry(denied)).includes('--blocked'));
    expect((await call(world.url, 'GET /web/devices', { token: person.token })).devices).toHaveLength(1);
  });

  it('[P4.6] is not removed with a wrong PIN, and with the right one leaves nothing behind', async () => {
    const installed = onC('Program Files\\Porchlight');
    const uninstall = (pin: string) => wine.run('C:\\Program Files\\Porchlight\\uninstall.exe', '/S', `/PIN=${pin}`);
    // It goes on as a copy of itself: only its effect tells when it is done.
    await uninstall('0000000');
    await until('the refusal', async () => /PIN/.test(await log()));
    expect(existsSync(join(installed, 'porchlight-agent.exe'))).toBe(true);
    expect(await service('Porchlight')).toContain('RUNNING');

    // What a program that was killed left in the table of names is ours to take away, and what others put there is not.
    await wine.run('reg', 'add', `${policyTable}\\{ours}`, '/v', 'Comment', '/d', 'Porchlight');
    await wine.run('reg', 'add', `${policyTable}\\{theirs}`, '/v', 'Comment', '/d', 'Work');
    const { bypass_password } = await call(world.url, 'GET /web/bypasspassword', { token: person.token });
    await uninstall(bypass_password);
    await until('the folder to be gone', () => !existsSync(installed));
    expect(await service('Porchlight')).not.toContain('RUNNING');
    expect(await answers()).toBe(false);
    for (const place of ['ProgramData\\Porchlight', 'ProgramData\\Microsoft\\Windows\\Start Menu\\Programs\\Porchlight.lnk']) {
      expect(existsSync(onC(place)), place).toBe(false);
    }
    for (const key of ['SOFTWARE\\Porchlight', 'SOFTWARE\\Classes\\porchlight', 'SYSTEM\\CurrentControlSet\\Services\\Porchlight']) {
      expect((await wine.run('reg', 'query', `HKLM\\${key}`)).code, key).not.toBe(0);
    }
    expect(await registry('HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Run')).not.toContain('Porchlight');
    expect((await wine.run('reg', 'query', denied)).code).not.toBe(0);
    const table = await registry(policyTable);
    expect(table).not.toContain('{ours}');
    expect(table).toContain('{theirs}');
    expect(await registry('HKLM\\System\\CurrentControlSet\\Services\\RemoteHelp', '/v', 'Start')).toContain('0x2');
  });
});
