import { expect, test } from 'vitest';
import { sameFolder } from './in-folder.ts';

test.each([
  ['win32', 'C:\\Program Files\\AnyDesk', 'c:\\PROGRAM FILES\\anydesk', true],
  ['win32', 'C:\\Program Files\\AnyDesk', 'C:\\Users\\Mum\\AnyDesk', false],
  ['linux', '/opt/AnyDesk', '/opt/anydesk', false],
  ['darwin', '/Applications/AnyDesk.app', '/Applications/anydesk.app', false],
] as const)('on %s, %s and %s are the same folder: %s', (platform, firstPath, secondPath, expectedSame) => {
  expect(sameFolder(firstPath, secondPath, platform)).toBe(expectedSame);
});
