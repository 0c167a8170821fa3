import { describe, expect, it } from 'vitest';
import { registryInMemory, servicesInMemory } from '../../testing/windows-registry.ts';
import { ownService, safeModeKey, securedRights, servicesKey, usualRights } from './own-service.ts';
import { startTypes } from './services/services.ts';

const name = 'Porchlight';
const [ownKey, otherKey, ownSafeModeKey] = [`${servicesKey}\\${name}`, `${servicesKey}\\Dhcp`, `${safeModeKey}\\${name}`];
const running = { start: startTypes.automatic, running: true, alone: true, pid: 7 };

/** A Windows with our service and another. `allows`: who may change the rights of a service now. */
function computer({ allows = 'owner' as 'owner' | 'system' | 'nobody', isSystem = false } = {}) {
  const registry = registryInMemory();
  for (const key of [ownKey, otherKey]) registry.write(key, 'Start', startTypes.automatic);
  registry.write(`${safeModeKey}\\Dhcp`, '', 'Service');
  const { services, known } = servicesInMemory({ [name]: running, Dhcp: running });
  const rights = { text: allows === 'owner' ? usualRights : securedRights, owned: allows === 'owner', calls: 0 };
  const mayChange = () => allows !== 'nobody' && (isSystem || rights.owned);
  const service = ownService({
    ...{ name, registry },
    services: { ...services, setStart: (one, start) => rights.text === usualRights && services.setStart(one, start) },
    rights: {
      takeService(one) {
        expect(one).toBe(name);
        rights.owned = allows !== 'nobody';
        return rights.owned;
      },
      setServiceRights(one, text) {
        expect(one).toBe(name);
        rights.calls++;
        if (!mayChange()) return false;
        // As `O:` in the text says.
        Object.assign(rights, { text, owned: text.startsWith('O:BA') });
        return true;
      },
    },
  });
  return { registry, known, rights, service };
}

const isWithout = (text: string, account: string, right: string) =>
  !(new RegExp(`\\(A;;([A-Z]*);;;${account}\\)`).exec(text)?.[1] ?? right).match(/../g)?.includes(right);

describe('the rights of our service', () => {
  it.each([
    ['stop', 'WP'],
    ['pause', 'DT'],
    ['change', 'DC'],
    ['delete', 'SD'],
    ['give rights', 'WD'],
    ['take it', 'WO'],
  ])('an administrator may not %s, but may read its settings and start it; the system may', (_what, right) => {
    expect(isWithout(securedRights, 'BA', right)).toBe(true);
    for (const allowed of ['CC', 'LC', 'RP', 'RC']) expect(isWithout(securedRights, 'BA', allowed)).toBe(false);
    expect([isWithout(securedRights, 'SY', right), isWithout(usualRights, 'BA', right)]).toEqual([false, false]);
  });
});

describe('our service', () => {
  it('after an installation it starts with Windows and in safe mode with networking, starts again after a failure, and cannot be stopped', () => {
    const { registry, known, rights, service } = computer();
    expect([service.isSecured(), service.secure(), service.isSecured()]).toEqual([false, true, true]);
    expect(rights).toMatchObject({ text: securedRights, owned: false });
    expect(known.get(name)).toMatchObject({ start: startTypes.automatic, restarts: true });
    expect(registry.read(ownSafeModeKey, '')).toBe('Service');
    expect(known.get('Dhcp')).toEqual(running);
    expect(registry.keys(safeModeKey.replace('Network', 'Minimal'))).toEqual([]);
  });

  it.each<[string, (computerOfTest: ReturnType<typeof computer>) => void]>([
    ['disabled', ({ registry }) => registry.write(ownKey, 'Start', startTypes.disabled)],
    ['started by hand', ({ registry }) => registry.write(ownKey, 'Start', startTypes.byHand)],
    ['taken out of safe mode', ({ registry }) => registry.removeKey(ownSafeModeKey)],
  ])('%s, it is found and put back', (_what, change) => {
    const one = computer();
    one.service.secure();
    change(one);
    expect(one.service.isSecured()).toBe(false);
    one.service.secure();
    expect(one.service.isSecured()).toBe(true);
  });

  it('another service may change as it likes', () => {
    const { registry, service } = computer();
    service.secure();
    registry.write(otherKey, 'Start', startTypes.disabled);
    registry.removeKey(`${safeModeKey}\\Dhcp`);
    expect(service.isSecured()).toBe(true);
  });

  it('it is off once it is deleted, and unknown when no service can be read', () => {
    const { registry, service } = computer();
    service.secure();
    registry.write(ownKey, 'DeleteFlag', 1);
    expect(service.isSecured()).toBe(false);
    registry.removeKey(ownKey);
    expect(service.isSecured()).toBe(false);
    registry.removeKey(servicesKey);
    expect(service.isSecured()).toBeNull();
  });

  it('an installer takes the service of a former installation, and leaves it as it has to be', () => {
    const { known, rights, service } = computer({ allows: 'system' });
    known.set(name, { ...running, start: startTypes.disabled });
    expect(service.secure()).toBe(true);
    expect(rights).toMatchObject({ text: securedRights, owned: false });
    expect(known.get(name)).toMatchObject({ start: startTypes.automatic });
  });

  it('what Windows refuses is reported, and the rest is done; a thousand calls ask for rights three times each', () => {
    const { registry, rights, service } = computer({ allows: 'nobody' });
    for (let call = 0; call < 1000; call++) expect(service.secure()).toBe(false);
    expect(registry.read(ownSafeModeKey, '')).toBe('Service');
    expect(rights.calls).toBeLessThanOrEqual(3000);
  });

  it('a registry that refuses a value does not prevent the rest', () => {
    const { registry, rights, service } = computer();
    registry.write = () => {
      throw new Error('The registry did not take it.');
    };
    expect(service.secure()).toBe(false);
    expect(rights.text).toBe(securedRights);
  });

  it('released after the PIN, administrators may stop and delete it, and it is no part of safe mode', () => {
    const { registry, rights, service } = computer({ allows: 'system' });
    service.secure();
    expect(service.release()).toBe(true);
    expect(rights.text).toBe(usualRights);
    expect(registry.keys(safeModeKey)).toEqual(['Dhcp']);
  });
});
