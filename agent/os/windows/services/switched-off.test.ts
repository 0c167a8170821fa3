import { expect, test } from 'vitest';
import { registryInMemory, servicesInMemory } from '../../../testing/windows-registry.ts';
import { startTypes } from './services.ts';
import { serviceSwitch, switchedOffKey } from './switched-off.ts';

const offState = { running: false, enabled: false };

/** Simulated services that stop when their process is ended, and ignore stop requests. */
function simulateServices(initialServices: Parameters<typeof servicesInMemory>[0]) {
  const { services, known } = servicesInMemory(initialServices);
  const asked: string[] = [];
  const end = async (pid: number) => {
    for (const [name, service] of known) if (service.pid === pid) known.set(name, { ...service, running: false });
    return true;
  };
  return { known, end, asked, services: { ...services, stop: (name: string) => asked.push(name) > 0 } };
}

test.each([
  ['by itself', { start: startTypes.automatic, running: true }],
  ['by hand', { start: startTypes.byHand, running: true }],
  ['by hand, and not now', { start: startTypes.byHand, running: false }],
])('[P4.1] a Windows service with start type %s is disabled, and restored exactly', async (_startType, initialState) => {
  const registry = registryInMemory();
  const { services, known, end, asked } = simulateServices({ Tool: { ...initialState, alone: true, pid: 7 } });
  const { serviceState, setService } = serviceSwitch(services, registry, end);
  const tool = { name: 'Tool' };
  const state = await serviceState(tool);
  expect(state).toEqual({ running: initialState.running, enabled: true });
  for (let round = 0; round < 2; round++) expect(await setService(tool, offState)).toBe(true);
  expect(known.get('Tool')).toMatchObject({ start: startTypes.disabled, running: false });
  expect(await serviceState(tool)).toEqual(offState);
  expect(await setService(tool, state ?? offState)).toBe(true);
  expect(known.get('Tool')).toMatchObject(initialState);
  expect([registry.values(switchedOffKey), asked]).toEqual([[], []]);
});

test('a Windows service that ran although disabled is restored to running and disabled', async () => {
  const { services, known, end } = simulateServices({ Tool: { start: startTypes.disabled, running: true, alone: true, pid: 7 } });
  const { serviceState, setService } = serviceSwitch(services, registryInMemory(), end);
  const stateBefore = await serviceState({ name: 'Tool' });
  expect(await setService({ name: 'Tool' }, offState)).toBe(true);
  expect(await setService({ name: 'Tool' }, stateBefore ?? offState)).toBe(true);
  expect(known.get('Tool')).toMatchObject({ start: startTypes.disabled, running: true });
});

test('per-user and missing Windows services are refused', async () => {
  const { services, end } = simulateServices({ Tool: { start: startTypes.automatic, running: true, alone: true, pid: 7 } });
  const { serviceState, setService } = serviceSwitch(services, registryInMemory(), end);
  for (const service of [{ name: 'Tool', user: 'ann' }, { name: 'Other' }]) {
    expect(await serviceState(service)).toBeNull();
    expect(await setService(service, offState)).toBe(false);
  }
});
