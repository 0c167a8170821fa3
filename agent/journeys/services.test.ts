import { expect, test } from 'vitest';
import { fakeOs } from '../os/fake/fake.ts';
import { holdDown, letGo, letGoUnblocked, servicesIn } from '../os/windows/services/hold-down.ts';
import { starts } from '../os/windows/services/services.ts';
import { agentForTest, serverForTest } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';
import { registryInMemory, servicesInMemory } from '../testing/windows-registry.ts';

/** A protected computer with the service of a tool, which is held down whenever the tool is ended. */
async function withService() {
  const registry = registryInMemory();
  const { services, known } = servicesInMemory({ Tool: { start: starts.automatic, running: true, alone: true, pid: 7 } });
  const os = fakeOs();
  const { endTree } = os;
  os.endTree = async (process) => {
    holdDown(services, registry, process.program, servicesIn(services, new Set([7])));
    return endTree(process);
  };
  os.letGo = (blocked) => letGoUnblocked(services, registry, blocked);
  const server = await serverForTest();
  const agent = await agentForTest(server, { os });
  await agent.linked();
  const start = () => known.get('Tool')?.start;
  const held = () => until('the service to be held', () => start() === starts.disabled);
  os.start({ name: 'anydesk' });
  await held();
  return { server, agent, os, start, held, registry, services };
}
const allowed = (identifier: string) => [{ type: 'definition' as const, identifier, until: null }];

test('[P4.1] an allowed program gets its service back, and loses it when blocked again', async () => {
  const { server, os, start, held } = await withService();
  server.setPolicy({ allow: allowed('teamviewer') });
  server.setPolicy({ allow: allowed('anydesk') });
  await until('the service to be as before', () => start() === starts.automatic);
  server.setPolicy({ allow: [] });
  os.start({ name: 'anydesk' });
  await held();
});

test('[P4.6] a pause gives a service back, and its end takes it again', async () => {
  const { agent, os, start, held } = await withService();
  await (await browserOf(agent)).press('pause', { minutes: '10', pin: testPin, understood: 'yes' });
  await until('the service to be as before', () => start() === starts.automatic);
  os.start({ name: 'anydesk' });
  agent.clock.now = new Date(agent.clock.now.getTime() + 11 * 60_000);
  agent.clock.up += 11 * 60_000;
  await held();
});

test('a blocked service stays disabled through other changes, also when its program is unknown', async () => {
  const { services, registry, start } = await withService();
  letGoUnblocked(services, registry, ({ name }) => name === 'anydesk');
  expect(start()).toBe(starts.disabled);
  for (const key of ['Services', 'ServicesOf']) expect(registry.values(`SOFTWARE\\Porchlight\\${key}`), key).toEqual(['Tool']);
  registry.removeValue('SOFTWARE\\Porchlight\\ServicesOf', 'Tool');
  letGoUnblocked(services, registry, () => false);
  expect(start()).toBe(starts.disabled);
  letGo(services, registry);
  expect(start()).toBe(starts.automatic);
});
