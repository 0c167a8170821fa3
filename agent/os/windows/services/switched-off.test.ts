import { expect, test } from 'vitest';
import { registryInMemory, servicesInMemory } from '../../../testing/windows-registry.ts';
import { starts } from './services.ts';
import { serviceSwitch, switchedOff } from './switched-off.ts';

const off = { running: false, enabled: false };

/** A table in which a service stops when its process is ended, and takes its time when it is asked. */
function table(all: Parameters<typeof servicesInMemory>[0]) {
  const { services, known } = servicesInMemory(all);
  const asked: string[] = [];
  const end = async (pid: number) => {
    for (const [name, one] of known) if (one.pid === pid) known.set(name, { ...one, running: false });
    return true;
  };
  return { known, end, asked, services: { ...services, stop: (name: string) => asked.push(name) > 0 } };
}

test.each([
  ['by itself', { start: starts.automatic, running: true }],
  ['by hand', { start: starts.byHand, running: true }],
  ['by hand, and not now', { start: starts.byHand, running: false }],
])('[P4.1] a service that starts %s is switched off, and comes back exactly as it was', async (_how, before) => {
  const registry = registryInMemory();
  const { services, known, end, asked } = table({ Tool: { ...before, alone: true, pid: 7 } });
  const { serviceState, setService } = serviceSwitch(services, registry, end);
  const tool = { name: 'Tool' };
  const state = await serviceState(tool);
  expect(state).toEqual({ running: before.running, enabled: true });
  // Twice does no harm.
  for (let round = 0; round < 2; round++) expect(await setService(tool, off)).toBe(true);
  expect(known.get('Tool')).toMatchObject({ start: starts.disabled, running: false });
  expect(await serviceState(tool)).toEqual(off);
  expect(await setService(tool, state ?? off)).toBe(true);
  expect(known.get('Tool')).toMatchObject(before);
  expect([registry.values(switchedOff), asked]).toEqual([[], []]);
});

test('a disabled service that ran is started again and stays disabled', async () => {
  const { services, known, end } = table({ Tool: { start: starts.disabled, running: true, alone: true, pid: 7 } });
  const { serviceState, setService } = serviceSwitch(services, registryInMemory(), end);
  const before = await serviceState({ name: 'Tool' });
  expect(await setService({ name: 'Tool' }, off)).toBe(true);
  expect(await setService({ name: 'Tool' }, before ?? off)).toBe(true);
  expect(known.get('Tool')).toMatchObject({ start: starts.disabled, running: true });
});

test('per-user and missing services are refused', async () => {
  const { services, end } = table({ Tool: { start: starts.automatic, running: true, alone: true, pid: 7 } });
  const { serviceState, setService } = serviceSwitch(services, registryInMemory(), end);
  for (const service of [{ name: 'Tool', user: 'ann' }, { name: 'Other' }]) {
    expect(await serviceState(service)).toBeNull();
    expect(await setService(service, off)).toBe(false);
  }
});
