import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { macOrigin } from './origin.ts';

async function computer(attributes: Record<string, Record<string, string | Buffer>>) {
  const root = await temporaryFolder();
  const create = (path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
    return join(root, path);
  };
  const origin = macOrigin((path, name) => {
    const value = attributes[path.slice(root.length + 1)]?.[name];
    return value === undefined ? null : Buffer.from(value);
  });
  return {
    root,
    create,
    of: (path: string, command_line?: string) => origin.of({ pid: 1, path, ...(command_line ? { command_line } : {}) }),
  };
}

const quarantine = (value: string) => ({ 'com.apple.quarantine': value });
const text = (value: string) =>
  Buffer.concat([value.length < 15 ? Buffer.from([0x50 + value.length]) : Buffer.from([0x5f, 0x10, value.length]), Buffer.from(value)]);
const addresses = (...values: string[]) => ({
  'com.apple.metadata:kMDItemWhereFroms': Buffer.concat([Buffer.from('bplist00'), Buffer.from([0xa2, 1, 2]), ...values.map(text)]),
});

test.each<[string, Record<string, string | Buffer>, object]>([
  ['of a browser', quarantine('0083;65c0a1b2;Safari;F1D2'), { from: 'internet', host: null }],
  ['that the user has opened', quarantine('00c3;65c0a1b2;Safari;F1D2'), { from: 'internet', host: null }],
  [
    'with addresses',
    { ...quarantine('0081;;Safari;'), ...addresses('https://download.example/a.dmg', 'https://page.example/') },
    { from: 'internet', host: 'download.example' },
  ],
  [
    'with an address without a path',
    { ...quarantine('0081;;Safari;'), ...addresses('https://a.example', 'https://page.example/') },
    { from: 'internet', host: 'a.example' },
  ],
  [
    'with a short address',
    { ...quarantine('0081;;Safari;'), ...addresses('http://a.io', 'https://page.example/') },
    { from: 'internet', host: 'a.io' },
  ],
  [
    'with damaged addresses',
    { ...quarantine('0081;;Safari;'), 'com.apple.metadata:kMDItemWhereFroms': 'http' },
    { from: 'internet', host: null },
  ],
  ['of a sandboxed program', quarantine('0082;65c0a1b2;TextEdit;'), { from: 'unknown' }],
  ['that is damaged', quarantine('x'), { from: 'unknown' }],
  ['that is missing', addresses('https://download.example/a'), { from: 'unknown' }],
])('a file with a mark %s has the right origin', async (_what, attributes, expected) => {
  const { create, of } = await computer({ tool: attributes });
  expect(of(create('tool'))?.origin).toEqual(expected);
});

describe('applications', () => {
  const path = 'Downloads/Outer.app/Contents/Helpers/Inner.app/Contents/MacOS/Inner';

  it.each(['Downloads/Outer.app', 'Downloads/Outer.app/Contents/Helpers/Inner.app', path])(
    'a program has the mark of %s',
    async (marked) => {
      const { create, of } = await computer({ [marked]: quarantine('0083;;Safari;') });
      expect(of(create(path))?.origin).toEqual({ from: 'internet', host: null });
      expect(of(create('Downloads/Other.app/Contents/MacOS/Other'))?.origin).toEqual({ from: 'unknown' });
    },
  );
});

it('a package that the installer installs is the file, and has the same id after it was renamed', async () => {
  const { create, of, root } = await computer({ 'a.pkg': quarantine('0083;;Safari;') });
  const [installer, marked, own] = [create('installer'), create('a.pkg'), create('own.pkg')];
  const launched = of(installer, `installer -pkg ${marked} -target /`);
  expect(launched).toMatchObject({ file: marked, origin: { from: 'internet' } });
  expect(of(installer, `installer -pkg ${own} -target /`)).toMatchObject({ file: own, origin: { from: 'unknown' } });
  renameSync(marked, join(root, 'b.pkg'));
  expect(of(installer, `installer -pkg ${join(root, 'b.pkg')} -target /`)?.id).toBe(launched?.id);
  expect(of(join(root, 'missing'))).toBeNull();
});
