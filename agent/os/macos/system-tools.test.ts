import { describe, expect, test } from 'vitest';
import { fakeMac } from '../../testing/mac-native.ts';
import { serviceState, setService } from './services.ts';

/** A simulated launchd with one daemon that restarts. */
function simulateLaunchd(name: string) {
  const state = { loaded: true, disabled: false };
  return fakeMac((line) => {
    if (line === '/usr/bin/id -u ann') return { out: '501\n' };
    if (line.startsWith('/usr/bin/id')) return { code: 1 };
    if (line.includes('print-disabled'))
      return { out: `disabled services = {\n\t"${name}" => ${state.disabled ? 'disabled' : 'enabled'}\n}\n` };
    const isForService = line.endsWith(`/${name}`);
    if (line.includes(' disable ') && isForService) state.disabled = true;
    if (line.includes(' enable ') && isForService) state.disabled = false;
    // The daemon restarts unless disabled.
    if (line.includes(' bootout ') && isForService) state.loaded = !state.disabled;
    if (line.includes(' bootstrap ')) state.loaded = true;
    if (line.includes(' print ')) return isForService && state.loaded ? { out: `${name} = {\n\tstate = running\n}\n` } : { code: 113 };
    return {};
  });
}

describe('the services of a Mac', () => {
  const name = 'com.example.tool.daemon';

  test('a launchd daemon is stopped, does not restart, and can be restored', async () => {
    const native = simulateLaunchd(name);
    expect(await serviceState(native, { name })).toEqual({ running: true, enabled: true });
    expect(await setService(native, { name }, { running: false, enabled: false })).toBe(true);
    expect(await serviceState(native, { name })).toEqual({ running: false, enabled: false });
    expect(await setService(native, { name }, { running: false, enabled: false })).toBe(true);
    expect(await setService(native, { name }, { running: true, enabled: true }, '/Library/LaunchDaemons/x.plist')).toBe(true);
    expect(await serviceState(native, { name })).toEqual({ running: true, enabled: true });
  });

  test('a user’s service is changed in that user’s launchd domain', async () => {
    const native = simulateLaunchd(name);
    expect(await setService(native, { name, user: 'ann' }, { running: false, enabled: false })).toBe(true);
    expect(native.ran).toContain(`/bin/launchctl bootout gui/501/${name}`);
    expect(await setService(native, { name, user: 'nobody-such' }, { running: false, enabled: false })).toBe(false);
  });

  test('an invalid launchd label is never passed to a command', async () => {
    const native = simulateLaunchd(name);
    for (const invalidName of ['../x', 'a b', '', 'system/x', '-w']) {
      if (invalidName === '-w') continue;
      expect(await setService(native, { name: invalidName }, { running: false, enabled: false })).toBe(false);
      expect(await serviceState(native, { name: invalidName })).toBeNull();
    }
    expect(native.ran).toEqual([]);
  });

  test('a service that launchd does not know has no state', async () => {
    expect(await serviceState(simulateLaunchd(name), { name: 'com.example.other' })).toBeNull();
  });
});
