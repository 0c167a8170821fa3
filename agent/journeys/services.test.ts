import { expect, test } from 'vitest';
import { fakeOs } from '../os/fake/fake.ts';
import { disableServices, findServices, restoreStartTypes, restoreUnblocked } from '../os/windows/services/disable-services.ts';
import { startTypes } from '../os/windows/services/services.ts';
import { agentForTest, incidentIsOver, serverForTest } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';
import { registryInMemory, servicesInMemory } from '../testing/windows-registry.ts';

/** A service that is disabled whenever its program is ended. */
async function withService() {
  const registry = registryInMemory();
  const { services, known } = servicesInMemory({ Tool: { start: startTypes.automatic, running: true, alone: true, pid: 7 } });
  const os = fakeOs();
  const { endTree } = os;
  os.endTree = async (process) => {
    disableServices(services, registry, process.program, findServices(services, new Set([7])));
    return endTree(process);
  };
  os.allowRestarts = (blocked) => restoreUnblocked(services, registry, blocked);
  const server = await serverForTest();
  const agent = await agentForTest(server, { os });
  await agent.linked();
  const start = () => known.get('Tool')?.start;
  const serviceDisabled = () => until('the service to be held', () => start() === startTypes.disabled);
  os.start({ name: 'anydesk' });
  await serviceDisabled();
  return { server, agent, os, start, held: serviceDisabled, registry, services };
}
const allowListOf = (identifier: string) => [{ type: 'definition' as const, identifier, until: null, reported_until: null }];

test('[P4.1] allowing a program restores its service, and blocking it again disables the service', async () => {
  const { server, os, start, held } = await withService();
  server.setPolicy({ allow: allowListOf('teamviewer') });
  server.setPolicy({ allow: allowListOf('anydesk') });
  await until('the service to be as before', () => start() === startTypes.automatic);
  server.setPolicy({ allow: [] });
  os.start({ name: 'anydesk' });
  await held();
});

test('[P4.6] a pause restores the service of a blocked program, and the end of the pause disables it again', async () => {
  const { server, agent, os, start, held } = await withService();
  await incidentIsOver(server, agent);
  await (await browserOf(agent)).press('pause', { minutes: '10', pin: testPin, understood: 'yes' });
  await until('the service to be as before', () => start() === startTypes.automatic);
  os.start({ name: 'anydesk' });
  agent.clock.now = new Date(agent.clock.now.getTime() + 11 * 60_000);
  agent.clock.up += 11 * 60_000;
  await held();
});

test('a blocked service stays disabled through other changes, also when its program is unknown', async () => {
  const { services, registry, start } = await withService();
  restoreUnblocked(services, registry, ({ name }) => name === 'anydesk');
  expect(start()).toBe(startTypes.disabled);
  for (const key of ['Services', 'ServicesOf']) expect(registry.values(`SOFTWARE\\Porchlight\\${key}`), key).toEqual(['Tool']);
  registry.removeValue('SOFTWARE\\Porchlight\\ServicesOf', 'Tool');
  restoreUnblocked(services, registry, () => false);
  expect(start()).toBe(startTypes.disabled);
  restoreStartTypes(services, registry);
  expect(start()).toBe(startTypes.automatic);
});
