import { namesWithCode, namesWithoutCode } from '@porchlight/packaging/testing/installer-names.ts';
import { expect, test } from 'vitest';
import { codeFromInstallerName } from './installer-name.ts';

test.each(namesWithCode)('[P3.4] the code is found in the installer name %s', (name) => {
  expect(codeFromInstallerName(name)).toBe('ABCD-EFGH');
});

test.each(namesWithoutCode)('[P3.4] no code is found in the installer name %s', (name) => {
  expect(codeFromInstallerName(name)).toBeNull();
});
