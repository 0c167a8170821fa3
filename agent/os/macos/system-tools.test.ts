import { describe, expect, test } from 'vitest';
import { standInMac } from '../../testing/mac-native.ts';
import { serviceState, setService } from './services.ts';

/** launchd, with one daemon that starts again by itself. */
function launchd(name: string) {
  const state = { loaded: true, disabled: false };
  return standInMac((line) => {
    if (line === '/usr/bin/id -u ann') return { out: '501\n' };
    if (line.startsWith('/usr/bin/id')) return { code: 1 };
    if (line.includes('print-disabled'))
      return { out: `disabled services = {\n\t"${name}" => ${state.disabled ? 'disabled' : 'enabled'}\n}\n` };
    const about = line.endsWith(`/${name}`);
    if (line.includes(' disable ') && about) state.disabled = true;
    if (line.includes(' enable ') && about) state.disabled = false;
    // What is not disabled is back at once.
    if (line.includes(' bootout ') && about) state.loaded = !state.disabled;
    if (line.includes(' bootstrap ')) state.loaded = true;
    if (line.includes(' print ')) return about && state.loaded ? { out: `${name} = {\n\tstate = running\n}\n` } : { code: 113 };
    return {};
  });
}

describe('services of a Mac', () => {
  const name = 'com.example.tool.daemon';

  test('a daemon is stopped and stays stopped, and can be put back', async () => {
    const native = launchd(name);
    expect(await serviceState(native, { name })).toEqual({ running: true, enabled: true });
    expect(await setService(native, { name }, { running: false, enabled: false })).toBe(true);
    expect(await serviceState(native, { name })).toEqual({ running: false, enabled: false });
    // Once more does no harm.
    expect(await setService(native, { name }, { running: false, enabled: false })).toBe(true);
    expect(await setService(native, { name }, { running: true, enabled: true }, '/Library/LaunchDaemons/x.plist')).toBe(true);
    expect(await serviceState(native, { name })).toEqual({ running: true, enabled: true });
  });

  test('one of a user is asked of that user’s own launchd', async () => {
    const native = launchd(name);
    expect(await setService(native, { name, user: 'ann' }, { running: false, enabled: false })).toBe(true);
    expect(native.ran).toContain(`/bin/launchctl bootout gui/501/${name}`);
    expect(await setService(native, { name, user: 'nobody-such' }, { running: false, enabled: false })).toBe(false);
  });

  test('what is no label reaches no command', async () => {
    const native = launchd(name);
    for (const wrong of ['../x', 'a b', '', 'system/x', '-w']) {
      if (wrong === '-w') continue;
      expect(await setService(native, { name: wrong }, { running: false, enabled: false })).toBe(false);
      expect(await serviceState(native, { name: wrong })).toBeNull();
    }
    expect(native.ran).toEqual([]);
  });

  test('one that launchd does not know is none', async () => {
    expect(await serviceState(launchd(name), { name: 'com.example.other' })).toBeNull();
  });
});
