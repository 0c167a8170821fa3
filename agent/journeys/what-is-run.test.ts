import { chmodSync, copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { linux } from '../os/linux/linux.ts';
import { agentForTest, serverForTest, temporaryFolder } from '../testing/agent.ts';
import { run } from '../testing/programs.ts';
import { until } from '../testing/until.ts';

/** The dynamic loader of glibc. */
const loader = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' }[process.arch as string] ?? '';
/** memfd_create(2). */
const memfdCreate = { x64: 319, arm64: 279 }[process.arch as string];

async function home() {
  const folder = await temporaryFolder();
  const copy = (name: string, source = '/bin/sleep') => {
    copyFileSync(source, join(folder, name));
    return join(folder, name);
  };
  const script = (name: string, firstLine: string, content = 'read line\n') => {
    writeFileSync(join(folder, name), `${firstLine}\n${content}`);
    chmodSync(join(folder, name), 0o755);
    return join(folder, name);
  };
  const link = (name: string, target: string) => {
    symlinkSync(target, join(folder, name));
    return join(folder, name);
  };
  return { folder, copy, script, link };
}
/** Scripts wait for input without an end. */
const start = (file: string, args: string[]) => run(file, args, undefined, 'pipe');
type Home = Awaited<ReturnType<typeof home>>;

const sleepInPerl = 'sleep 60;\n';
/** Starts a program that is in memory alone. */
const fromMemory = (name: string) =>
  start('/usr/bin/perl', [
    '-e',
    `my $name = "${name}"; my $fd = syscall(${memfdCreate}, $name, 0); open(my $in, "<:raw", "/bin/sleep"); local $/; my $bytes = <$in>;
     syscall(${process.arch === 'x64' ? 1 : 64}, $fd, $bytes, length $bytes); exec { "/proc/self/fd/$fd" } "sleep", "60";`,
  ]);

/** Wine leaves its own name out of the command line. */
const asWine = ({ copy }: Home, line: string[]) => start('/bin/bash', ['-c', `exec -a '${line[0]}' ${copy('wine64-preloader')} 60`]);

const asBusyBox = ({ copy }: Home, script: string) => start('/bin/bash', ['-c', `exec -a sh ${copy('busybox', '/bin/bash')} ${script}`]);

type StartIn = (home: Home) => ReturnType<typeof run>;
const cases: [what: string, identifier: string, found: StartIn, innocent: StartIn][] = [
  [
    'Wine',
    'ultraviewer',
    (at) => asWine(at, ['C:\\users\\ann\\Downloads\\UltraViewer.exe']),
    (at) => asWine(at, ['C:\\Games\\Solitaire.exe']),
  ],
  [
    'the dynamic loader',
    'anydesk',
    ({ copy }) => start(loader, [copy('AnyDesk'), '60']),
    ({ copy }) => start(loader, [copy('AnyDisk'), '60']),
  ],
  [
    'the dynamic loader, by a link',
    'anydesk',
    ({ copy, link }) => start(loader, [link('editor', copy('AnyDesk')), '60']),
    ({ copy, link }) => start(loader, [link('AnyDesk', copy('editor')), '60']),
  ],
  [
    'a shell, by the first line of a script',
    'teamviewer',
    ({ script }) => start(script('teamviewer', '#!/bin/bash'), []),
    ({ script }) => start(script('remove-teamviewer', '#!/bin/bash'), []),
  ],
  [
    'the shell of BusyBox',
    'teamviewer',
    (at) => asBusyBox(at, at.script('teamviewer', '#!/bin/sh')),
    (at) => asBusyBox(at, at.script('notes', '#!/bin/sh')),
  ],
  [
    'Perl, by a link of the system’s alternatives',
    'tigervnc',
    ({ script, link }) => start(link('vncserver', script('tigervncserver', '#!/usr/bin/perl -w', sleepInPerl)), []),
    ({ script, link }) => start(link('vncserver', script('notes-server', '#!/usr/bin/perl -w', sleepInPerl)), []),
  ],
  [
    'env',
    'dayon',
    ({ script }) => start(script('dayon_assisted.sh', '#!/usr/bin/env -S perl -w', sleepInPerl), []),
    ({ script }) => start(script('dayon_notes.sh', '#!/usr/bin/env -S perl -w', sleepInPerl), []),
  ],
  [
    'a shell that has become another script',
    'rustdesk',
    ({ script }) => start('/bin/bash', ['-c', `/bin/sleep 0.5; exec ${script('rustdesk', '#!/bin/bash')}`]),
    ({ script }) => start('/bin/bash', ['-c', `/bin/sleep 0.5; exec ${script('rusty', '#!/bin/bash')} rustdesk`]),
  ],
  ['a file in memory', 'anydesk', () => fromMemory('anydesk'), () => fromMemory('editor')],
];

it.each(cases)(
  '[P4.2] what %s runs is ended by its own name, and an innocent program beside it runs on',
  async (_what, identifier, found, innocent) => {
    const server = await serverForTest();
    const test = await agentForTest(server, { os: { ...linux({ PATH: process.env.PATH }), openWindow: () => true } });
    await test.linked();
    const [first, second] = [await home(), await home()];
    const bystander = innocent(second);
    const child = found(first);
    await until('its end', () => child.signalCode === 'SIGKILL');
    await until('the report', () => server.sent.length === 1);
    expect(server.sent).toMatchObject([{ identifier, blocked: true }]);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  },
);
