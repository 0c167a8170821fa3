import fc from 'fast-check';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { describe, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { registryInMemory, servicesInMemory } from '../../testing/windows-registry.ts';
import { denyStarts, optionsKey, untilHandedOver } from './deny-starts.ts';
import { dnsRule, rulesKey } from './dns-rule.ts';
import { bytesOf } from './file/bytes.ts';
import { readFacts } from './file/file-facts.ts';
import type { ServiceCalls } from './native/services.ts';
import { endTree, treeOf } from './processes/end-tree.ts';
import type { ListedProcess } from './processes/process-table.ts';
import { isSystemProcess } from './processes/system-processes.ts';
import { disableServices, findServices, restoreStartTypes } from './services/disable-services.ts';
import { powerEvents } from './services/power.ts';
import { runAsService } from './services/run-as-service.ts';
import { startTypes } from './services/services.ts';
import { installedSettings, settingsKey } from './settings.ts';

function programWith(texts: Record<string, string>): Buffer {
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const info = Resource.VersionInfo.createEmpty();
  info.setStringValues({ lang: 1033, codepage: 1200 }, texts);
  info.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}

describe('the metadata of a program file', () => {
  const texts = { OriginalFilename: 'AnyDesk.exe', ProductName: 'AnyDesk', CompanyName: 'AnyDesk Software GmbH' };
  it('version information is read from a program', () => {
    expect(readFacts(bytesOf(programWith(texts)))).toEqual({
      original_name: 'AnyDesk.exe',
      product: 'AnyDesk',
      company: texts.CompanyName,
    });
  });

  it('a truncated or damaged file has no metadata or partial metadata, and never throws', () => {
    const validFile = programWith(texts);
    for (const bytes of [Buffer.from('MZ'), validFile.subarray(0, 200)]) expect(readFacts(bytesOf(bytes))).toEqual({});
    const changeArbitrary = fc.array(fc.tuple(fc.nat(validFile.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(changeArbitrary, fc.nat(validFile.length), (changes, length) => {
        const damagedFile = Buffer.from(validFile);
        for (const [offset, value] of changes) damagedFile[offset] = value;
        readFacts(bytesOf(damagedFile));
        readFacts(bytesOf(damagedFile.subarray(0, length)));
      }),
      { numRuns: 500 },
    );
  });
});

describe('denied starts', () => {
  it('programs are prevented from starting and allowed again, and registry entries of other software stay', () => {
    const registry = registryInMemory();
    registry.write(`${optionsKey}\\theirs.exe`, 'Debugger', 'windbg');
    registry.write(`${optionsKey}\\AnyDesk.exe`, 'MitigationOptions', 1);
    denyStarts(registry, 'us --blocked', ['AnyDesk.exe', 'theirs.exe', 'svchost.exe', 'porchlight-agent.exe', 'a\\b.exe', 'helper.dll']);
    expect(registry.read(`${optionsKey}\\AnyDesk.exe`, 'Debugger')).toBe('us --blocked');
    expect(registry.read(`${optionsKey}\\theirs.exe`, 'Debugger')).toBe('windbg');
    expect(registry.keys(optionsKey).toSorted()).toEqual(['AnyDesk.exe', 'theirs.exe']);
    denyStarts(registry, 'us --blocked', []);
    expect(registry.values(`${optionsKey}\\AnyDesk.exe`)).toEqual(['MitigationOptions']);
    expect(registry.read(`${optionsKey}\\theirs.exe`, 'Debugger')).toBe('windbg');
  });
});

describe('denied starts during an update', () => {
  it('programs stay prevented from starting when the old agent closes after its successor took over', () => {
    const registry = registryInMemory();
    const [oldAgent, newAgent] = [1, 2].map(() => untilHandedOver((names) => denyStarts(registry, 'us --blocked', names)));
    oldAgent?.deny(['AnyDesk.exe']);
    oldAgent?.handOver();
    newAgent?.deny(['AnyDesk.exe']);
    oldAgent?.deny([]);
    expect(registry.read(`${optionsKey}\\AnyDesk.exe`, 'Debugger')).toBe('us --blocked');
    newAgent?.deny([]);
    expect(registry.keys(optionsKey)).toEqual([]);
  });
});

describe('the DNS rule', () => {
  it('the Windows DNS rule lists the filter first and then the former servers, is idempotent, and is removed completely', async () => {
    const registry = registryInMemory();
    registry.write(`${rulesKey}\\{work}`, 'Comment', 'Work');
    let rereadCount = 0;
    const dns = dnsRule({ registry, servers: () => ['127.0.0.1', '192.0.2.1', '192.0.2.2'], reread: () => rereadCount++ });
    await dns.pointTo('127.0.0.1');
    await dns.pointTo('127.0.0.1');
    expect(registry.keys(rulesKey)).toHaveLength(2);
    const key = registry.keys(rulesKey).find((name) => name !== '{work}');
    expect(registry.read(`${rulesKey}\\${key}`, 'GenericDNSServers')).toBe('127.0.0.1;192.0.2.1;192.0.2.2');
    expect(registry.read(`${rulesKey}\\${key}`, 'Name')).toEqual(['.']);
    expect(await dns.current()).toEqual({ servers: ['192.0.2.1', '192.0.2.2'], ours: true });
    await dns.restore();
    await dns.restore();
    expect(registry.keys(rulesKey)).toEqual(['{work}']);
    expect(rereadCount).toBe(3);
  });
});

describe('a process tree', () => {
  const listedProcess = (pid: number, ppid: number, started: number, name = 'tool.exe'): ListedProcess => ({
    pid,
    ppid,
    started: String(started),
    name,
  });
  const simulateProcesses = (processList: ListedProcess[]) => ({
    list: () => processList,
    commandLineOf: () => null,
    pathOf: (pid: number) => (pid === 50 ? 'C:\\Windows\\System32\\lsass.exe' : `C:\\tools\\${pid}.exe`),
    open: (pid: number) => ({
      suspend: () => {},
      resume: () => {},
      terminate: () => {
        processList.splice(0, processList.length, ...processList.filter((entry) => entry.pid !== pid));
        return true;
      },
      close: () => {},
    }),
  });

  it('a process tree contains descendants, but not children of an earlier process with the same pid', () => {
    const processList = [listedProcess(10, 1, 100), listedProcess(11, 10, 110), listedProcess(12, 11, 120), listedProcess(13, 10, 90)];
    expect(treeOf(processList, listedProcess(10, 1, 100)).map(({ pid }) => pid)).toEqual([10, 11, 12]);
    expect(treeOf(processList, listedProcess(10, 1, 99))).toEqual([]);
  });

  it('a whole process tree is ended, but never system processes, this process or its parents', async () => {
    const processList = [
      listedProcess(10, 1, 100),
      listedProcess(11, 10, 110),
      listedProcess(20, 1, 50),
      listedProcess(21, 20, 60),
      listedProcess(50, 1, 10, 'lsass.exe'),
    ];
    const processes = simulateProcesses(processList);
    for (const pid of [20, 21, 50, 4])
      expect(await endTree(processes, listedProcess(pid, 1, pid === 20 ? 50 : 60), 21), String(pid)).toBe(false);
    expect(await endTree(processes, listedProcess(10, 1, 100), 21)).toBe(true);
    expect(processList.map(({ pid }) => pid)).toEqual([20, 21, 50]);
  });

  it('A8: when one process of a tree cannot be opened, the other processes are ended and its path is reported', async () => {
    const processList = [
      listedProcess(10, 1, 100),
      listedProcess(11, 10, 110, 'protected.exe'),
      listedProcess(12, 11, 120),
      listedProcess(13, 10, 130),
      listedProcess(20, 1, 50),
    ];
    const calls: string[] = [];
    const processes = {
      ...simulateProcesses(processList),
      open: (pid: number) =>
        pid === 11
          ? null
          : {
              suspend: () => void calls.push(`suspend ${pid}`),
              resume: () => void calls.push(`resume ${pid}`),
              terminate() {
                calls.push(`terminate ${pid}`);
                processList.splice(0, processList.length, ...processList.filter((entry) => entry.pid !== pid));
                return true;
              },
              close: () => {},
            },
    };
    const remainingPaths: string[] = [];
    const callbacks = {
      suspended: (tree: ListedProcess[]) => void calls.push(`suspended ${tree.map(({ pid }) => pid).join(' ')}`),
      terminated: () => void calls.push('terminated'),
      remains: (paths: string[]) => void remainingPaths.push(...paths),
    };
    expect(await endTree(processes, listedProcess(10, 1, 100), 99, callbacks)).toBe(false);
    expect(calls.slice(0, 3).toSorted()).toEqual(['suspend 10', 'suspend 12', 'suspend 13']);
    expect(calls[3]).toMatch(/^suspended 10 /);
    expect(calls.slice(4).toSorted()).toEqual(['terminate 10', 'terminate 12', 'terminate 13', 'terminated']);
    expect(calls.at(-1)).toBe('terminated');
    expect(remainingPaths).toEqual(['C:\\tools\\11.exe']);
    expect(processList.map(({ pid }) => pid)).toEqual([11, 20]);
  });

  it.each([
    ['lsass.exe', 'C:\\Windows\\System32\\lsass.exe', true],
    ['lsass.exe', null, true],
    ['explorer.exe', 'C:\\Windows\\explorer.exe', true],
    ['svchost.exe', 'C:\\Users\\Mum\\AppData\\svchost.exe', false],
    ['AnyDesk.exe', 'C:\\Windows\\System32\\AnyDesk.exe', false],
  ])('%s at %s is a system process: %s', (name, path, isSystem) => {
    expect(isSystemProcess(name, path)).toBe(isSystem);
  });
});

describe('services', () => {
  it('A8: services of an ended program are disabled without a stop request and restored later, except services in a shared process', () => {
    const registry = registryInMemory();
    const { services, known } = servicesInMemory({
      Tool: { start: 2, running: true, alone: true, pid: 7 },
      Shared: { start: 2, running: true, alone: false, pid: 7 },
      Other: { start: 2, running: true, alone: true, pid: 8 },
    });
    const stopRequests: string[] = [];
    const names = findServices(services, new Set([7]));
    expect(names).toEqual(['Tool']);
    disableServices({ ...services, stop: (name) => stopRequests.push(name) > 0 }, registry, { os: 'windows', name: 'tool.exe' }, names);
    expect(stopRequests).toEqual([]);
    expect(known.get('Tool')).toMatchObject({ start: startTypes.disabled });
    expect([known.get('Shared'), known.get('Other')]).toMatchObject([{ start: 2 }, { start: 2 }]);
    restoreStartTypes(services, registry);
    expect(known.get('Tool')?.start).toBe(2);
  });
});

describe('A8: sleep', () => {
  it('the Windows service receives sleep and wake events', async () => {
    const states: Buffer[] = [];
    let [main, control] = [() => {}, (_control: number, _event: number): number => -1];
    const calls = {
      mainCallback: (callback: () => void) => (main = callback),
      controlCallback: (callback: typeof control) => (control = callback),
      registerHandler: () => 1,
      setStatus: (_handle: unknown, status: Buffer) => states.push(status),
      dispatcher: { async: () => main() },
    } as unknown as ServiceCalls;
    const power = powerEvents();
    const events: string[] = [];
    const watch = power.watch({ beforeSleep: async () => void events.push('going'), afterSleep: () => void events.push('back') });
    expect(watch.works()).toBe(true);
    void runAsService(
      calls,
      async () => {},
      async () => {},
      power.onEvent,
    );
    await until('that it runs', () => states.some((status) => status.readUInt32LE(4) === 4));
    expect((states.at(-1)?.readUInt32LE(8) ?? 0) & 0x40).toBe(0x40);
    // Event 10, PBT_APMPOWERSTATUSCHANGE, is ignored.
    expect([4, 10, 18].map((event) => control(13, event))).toEqual([0, 0, 0]);
    expect(control(200, 0)).toBe(120);
    expect(events).toEqual(['going', 'back']);
    watch.close();
    control(13, 4);
    expect(events).toHaveLength(2);
  });
});

describe('the installer’s settings', () => {
  it('a typed code takes precedence over the installer’s file name, and is used once', () => {
    const registry = registryInMemory();
    const settings = installedSettings(registry);
    expect(settings.options((args) => args)).toBeNull();
    registry.write(settingsKey, 'Installer', 'Porchlight [ABCD-EFGH].exe');
    expect(settings.options((args) => args)).toEqual(['--installer', 'Porchlight [ABCD-EFGH].exe']);
    registry.write(settingsKey, 'Code', 'ABCD-EFGH');
    expect(settings.options((args) => args)).toEqual(['--code', 'ABCD-EFGH']);
    settings.used();
    expect(settings.options((args) => args)).toBeNull();
  });
});
