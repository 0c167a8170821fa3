import { join } from 'node:path';
import fc from 'fast-check';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { handOverOf } from '../../lib/deep-link.ts';
import { temporaryFolder } from '../../testing/agent.ts';
import { until } from '../../testing/until.ts';
import { registryInMemory, servicesInMemory } from '../../testing/windows-registry.ts';
import { denyStarts, options, untilHandedOver } from './deny-starts.ts';
import { bytesOf } from './file/bytes.ts';
import { factsOf } from './file/file-facts.ts';
import { nameRule, rules } from './name-rule.ts';
import type { ServiceCalls } from './native/services.ts';
import { endTree, treeOf } from './processes/end-tree.ts';
import type { Listed } from './processes/process-table.ts';
import { isSystems } from './processes/systems-own.ts';
import { holdDown, letGo, servicesIn } from './services/hold-down.ts';
import { powerEvents } from './services/power.ts';
import { runAsService } from './services/run-as-service.ts';
import { starts } from './services/services.ts';
import { installed, settingsKey } from './settings.ts';
import { dialAnyone, stayConnected, tellService } from './window/ask-service.ts';
import { openBridge } from './window/bridge.ts';
import { pageCommand } from './window/open-page.ts';

function programThatSays(texts: Record<string, string>): Buffer {
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const info = Resource.VersionInfo.createEmpty();
  info.setStringValues({ lang: 1033, codepage: 1200 }, texts);
  info.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}

describe('what a file says of itself', () => {
  const texts = { OriginalFilename: 'AnyDesk.exe', ProductName: 'AnyDesk', CompanyName: 'AnyDesk Software GmbH' };
  it('is read from its version information', () => {
    const facts = { original_name: 'AnyDesk.exe', product: 'AnyDesk', company: 'AnyDesk Software GmbH' };
    expect(factsOf(bytesOf(programThatSays(texts)))).toEqual(facts);
  });

  it('is nothing where it is cut off or is no program, and whatever is changed in it nothing is thrown', () => {
    const good = programThatSays(texts);
    expect(factsOf(bytesOf(Buffer.from('MZ')))).toEqual({});
    expect(factsOf(bytesOf(good.subarray(0, 200)))).toEqual({});
    const change = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(change, fc.nat(good.length), (changes, length) => {
        const bad = Buffer.from(good);
        for (const [offset, value] of changes) bad[offset] = value;
        factsOf(bytesOf(bad));
        factsOf(bytesOf(bad.subarray(0, length)));
      }),
      { numRuns: 500 },
    );
  });
});

describe('denied starts', () => {
  it('are put on and taken off, and what others have put there stays', () => {
    const registry = registryInMemory();
    registry.write(`${options}\\theirs.exe`, 'Debugger', 'windbg');
    registry.write(`${options}\\AnyDesk.exe`, 'MitigationOptions', 1);
    denyStarts(registry, 'us --blocked', ['AnyDesk.exe', 'theirs.exe', 'svchost.exe', 'porchlight-agent.exe', 'a\\b.exe', 'helper.dll']);
    expect(registry.read(`${options}\\AnyDesk.exe`, 'Debugger')).toBe('us --blocked');
    expect(registry.read(`${options}\\theirs.exe`, 'Debugger')).toBe('windbg');
    expect(registry.keys(options).toSorted()).toEqual(['anydesk.exe', 'theirs.exe']);
    denyStarts(registry, 'us --blocked', []);
    expect(registry.values(`${options}\\AnyDesk.exe`)).toEqual(['MitigationOptions']);
    expect(registry.read(`${options}\\theirs.exe`, 'Debugger')).toBe('windbg');
  });
});

describe('denied starts of two agents, of which one hands over', () => {
  it('stay as they are when the first one goes', () => {
    const registry = registryInMemory();
    const [first, second] = [1, 2].map(() => untilHandedOver((names) => denyStarts(registry, 'us --blocked', names)));
    first?.deny(['AnyDesk.exe']);
    first?.handOver();
    second?.deny(['AnyDesk.exe']);
    first?.deny([]);
    expect(registry.read(`${options}\\AnyDesk.exe`, 'Debugger')).toBe('us --blocked');
    second?.deny([]);
    expect(registry.keys(options)).toEqual([]);
  });
});

describe('the rule for names', () => {
  it('asks us first and the old servers behind us, once however often, and goes without a trace', async () => {
    const registry = registryInMemory();
    registry.write(`${rules}\\{work}`, 'Comment', 'Work');
    let read = 0;
    const names = nameRule({ registry, servers: () => ['127.0.0.1', '192.0.2.1', '192.0.2.2'], reread: () => read++ });
    await names.pointTo('127.0.0.1');
    await names.pointTo('127.0.0.1');
    expect(registry.keys(rules)).toHaveLength(2);
    const key = registry.keys(rules).find((name) => name !== '{work}');
    expect(registry.read(`${rules}\\${key}`, 'GenericDNSServers')).toBe('127.0.0.1;192.0.2.1;192.0.2.2');
    expect(registry.read(`${rules}\\${key}`, 'Name')).toEqual(['.']);
    expect(await names.current()).toEqual({ servers: ['192.0.2.1', '192.0.2.2'], ours: true });
    await names.restore();
    await names.restore();
    expect(registry.keys(rules)).toEqual(['{work}']);
    expect(read).toBe(3);
  });
});

describe('a tree of processes', () => {
  const listed = (pid: number, ppid: number, started: number, name = 'tool.exe'): Listed => ({ pid, ppid, started: String(started), name });
  const system = (all: Listed[]) => ({
    list: () => all,
    pathOf: (pid: number) => (pid === 50 ? 'C:\\Windows\\System32\\lsass.exe' : `C:\\tools\\${pid}.exe`),
    open: (pid: number) => ({
      suspend: () => {},
      resume: () => {},
      terminate: () => {
        all.splice(0, all.length, ...all.filter((entry) => entry.pid !== pid));
        return true;
      },
      close: () => {},
    }),
  });

  it('has in it whom it started, and nobody who only has the number of one that is gone', () => {
    const all = [listed(10, 1, 100), listed(11, 10, 110), listed(12, 11, 120), listed(13, 10, 90)];
    expect(treeOf(all, listed(10, 1, 100)).map(({ pid }) => pid)).toEqual([10, 11, 12]);
    expect(treeOf(all, listed(10, 1, 99))).toEqual([]);
  });

  it('is ended whole; the system, ourselves and who started us are not', async () => {
    const all = [listed(10, 1, 100), listed(11, 10, 110), listed(20, 1, 50), listed(21, 20, 60), listed(50, 1, 10, 'lsass.exe')];
    const processes = system(all);
    for (const pid of [20, 21, 50, 4]) expect(await endTree(processes, listed(pid, 1, pid === 20 ? 50 : 60), 21), String(pid)).toBe(false);
    expect(await endTree(processes, listed(10, 1, 100), 21)).toBe(true);
    expect(all.map(({ pid }) => pid)).toEqual([20, 21, 50]);
  });

  it('A8: is ended as far as that may be when one of it may not be opened: that one runs on and is named, and nobody else stands still', async () => {
    const all = [listed(10, 1, 100), listed(11, 10, 110, 'protected.exe'), listed(12, 11, 120), listed(13, 10, 130), listed(20, 1, 50)];
    const did: string[] = [];
    const processes = {
      ...system(all),
      open: (pid: number) =>
        pid === 11
          ? null
          : {
              suspend: () => void did.push(`suspend ${pid}`),
              resume: () => void did.push(`resume ${pid}`),
              terminate() {
                did.push(`terminate ${pid}`);
                all.splice(0, all.length, ...all.filter((entry) => entry.pid !== pid));
                return true;
              },
              close: () => {},
            },
    };
    const remains: string[] = [];
    const heard = {
      suspended: (tree: Listed[]) => void did.push(`suspended ${tree.map(({ pid }) => pid).join(' ')}`),
      terminated: () => void did.push('terminated'),
      remains: (paths: string[]) => void remains.push(...paths),
    };
    expect(await endTree(processes, listed(10, 1, 100), 99, heard)).toBe(false);
    expect(did.slice(0, 3).toSorted()).toEqual(['suspend 10', 'suspend 12', 'suspend 13']);
    expect(did[3]).toMatch(/^suspended 10 /);
    expect(did.slice(4).toSorted()).toEqual(['terminate 10', 'terminate 12', 'terminate 13', 'terminated']);
    expect(did.at(-1)).toBe('terminated');
    expect(remains).toEqual(['C:\\tools\\11.exe']);
    expect(all.map(({ pid }) => pid)).toEqual([11, 20]);
  });

  it.each([
    ['lsass.exe', 'C:\\Windows\\System32\\lsass.exe', true],
    ['lsass.exe', null, true],
    ['explorer.exe', 'C:\\Windows\\explorer.exe', true],
    ['svchost.exe', 'C:\\Users\\Mum\\AppData\\svchost.exe', false],
    ['AnyDesk.exe', 'C:\\Windows\\System32\\AnyDesk.exe', false],
  ])('%s at %s is the system’s own: %s', (name, path, own) => {
    expect(isSystems(name, path)).toBe(own);
  });
});

describe('services', () => {
  it('A8: of a program that was ended are disabled without being asked to stop, and put back as they were; one that shares its process is left alone', () => {
    const registry = registryInMemory();
    const { services, known } = servicesInMemory({
      Tool: { start: 2, running: true, alone: true, pid: 7 },
      Shared: { start: 2, running: true, alone: false, pid: 7 },
      Other: { start: 2, running: true, alone: true, pid: 8 },
    });
    const asked: string[] = [];
    const names = servicesIn(services, new Set([7]));
    expect(names).toEqual(['Tool']);
    holdDown({ ...services, stop: (name) => asked.push(name) > 0 }, registry, { os: 'windows', name: 'tool.exe' }, names);
    expect(asked).toEqual([]);
    expect(known.get('Tool')).toMatchObject({ start: starts.disabled });
    expect([known.get('Shared'), known.get('Other')]).toMatchObject([{ start: 2 }, { start: 2 }]);
    letGo(services, registry);
    expect(known.get('Tool')?.start).toBe(2);
  });
});

describe('A8: sleep', () => {
  it('is heard from Windows by the service, which asks for it; and waking', async () => {
    const states: Buffer[] = [];
    let [main, control] = [() => {}, (_what: number, _event: number): number => -1];
    const calls = {
      mainCallback: (call: () => void) => (main = call),
      controlCallback: (call: typeof control) => (control = call),
      registerHandler: () => 1,
      setStatus: (_handle: unknown, status: Buffer) => states.push(status),
      dispatcher: { async: () => main() },
    } as unknown as ServiceCalls;
    const power = powerEvents();
    const heard: string[] = [];
    const watch = power.watch({ going: async () => void heard.push('going'), back: () => void heard.push('back') });
    expect(watch.works()).toBe(true);
    void runAsService(
      calls,
      async () => {},
      async () => {},
      power.happened,
    );
    await until('that it runs', () => states.some((status) => status.readUInt32LE(4) === 4));
    expect((states.at(-1)?.readUInt32LE(8) ?? 0) & 0x40).toBe(0x40);
    // PBT_APMPOWERSTATUSCHANGE is none.
    expect([4, 10, 18].map((event) => control(13, event))).toEqual([0, 0, 0]);
    expect(control(200, 0)).toBe(120);
    expect(heard).toEqual(['going', 'back']);
    watch.close();
    control(13, 4);
    expect(heard).toHaveLength(2);
  });
});

describe('what the installer left', () => {
  it('is a code that was typed before a name, and is used once', () => {
    const registry = registryInMemory();
    const settings = installed(registry);
    expect(settings.options((args) => args)).toBeNull();
    registry.write(settingsKey, 'Installer', 'Porchlight [ABCD-EFGH].exe');
    expect(settings.options((args) => args)).toEqual(['--installer', 'Porchlight [ABCD-EFGH].exe']);
    registry.write(settingsKey, 'Code', 'ABCD-EFGH');
    expect(settings.options((args) => args)).toEqual(['--code', 'ABCD-EFGH']);
    settings.used();
    expect(settings.options((args) => args)).toBeNull();
  });
});

describe('the person’s desktop', () => {
  it('is shown our own page alone, on the screen that someone sits before, and tells of what was kept from starting', async () => {
    const path = join(await temporaryFolder(), 'bridge');
    const [blocked, shown, other]: string[][] = [[], [], []];
    const bridge = await openBridge({ open: () => {}, blocked: (file) => void blocked?.push(file), atScreen: () => 2 }, path);
    onTestFinished(() => bridge.close());
    expect(bridge.show('http://127.0.0.1:23407/ui/?t=1')).toBe(false);
    stayConnected(2, (url) => void shown?.push(url), dialAnyone, path);
    stayConnected(3, (url) => void other?.push(url), dialAnyone, path);
    await until('the page', () => bridge.show('http://127.0.0.1:23407/ui/?t=2') && shown?.length);
    bridge.show('https://example.org/ui/');
    expect(await tellService({ kind: 'blocked', path: 'C:\\AnyDesk.exe' }, dialAnyone, path)).toBe(true);
    await until('what was blocked', () => blocked?.length);
    expect([shown?.every((url) => url.startsWith('http://127.0.0.1:')), blocked]).toEqual([true, ['C:\\AnyDesk.exe']]);
  });

  it('opens Edge without its bars, or else the usual browser', () => {
    const env = { ProgramFiles: 'C:\\Program Files', SystemRoot: 'C:\\Windows' };
    expect(pageCommand('u', env, () => true)).toEqual({
      file: 'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
      args: ['--app=u', '--no-first-run'],
    });
    expect(pageCommand('u', env, () => false).file).toBe('C:\\Windows\\System32\\rundll32.exe');
  });

  it.each([
    ['porchlight://link?server=https%3A%2F%2Fa.example&code=C&exp=1&nonce=n&signature=ab-_', true],
    ['porchlight://link?server=https%3A%2F%2Fa.example&code=C&exp=1&nonce=n', false],
    ['porchlight://open', false],
    ['porchlight://link?server=x&code=C&exp=1&nonce=n&signature=%zz', false],
  ])('takes %s for a link to an account: %s', (link, yes) => {
    expect(handOverOf(link) !== null).toBe(yes);
  });
});
