import { readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.ts';
import { bomOf, type Lock, productionPackages } from './bom.ts';

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
const time = new Date('2026-11-26T12:00:00Z');
const bom = bomOf(lock, 'a commit', time);

test('the bill of materials has the fields that CycloneDX 1.5 requires, in its forms', () => {
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
  expect(bom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(bom.metadata.timestamp).toBe('2026-11-26T12:00:00.000Z');
  const lengths: Record<string, number> = { 'SHA-1': 40, 'SHA-256': 64, 'SHA-384': 96, 'SHA-512': 128 };
  for (const { type, name, version, scope, purl, hashes } of bom.components) {
    expect([type, Boolean(name), Boolean(version), ['required', 'optional'].includes(scope)]).toEqual(['library', true, true, true]);
    expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@[\w.+-]+$/);
    for (const { alg, content } of hashes) expect([name, content.length]).toEqual([name, lengths[alg]]);
    for (const { content } of hashes) expect(content).toMatch(/^[\da-f]+$/);
  }
});

test('each component has a reference of its own, and each dependency refers to a component once', () => {
  const refs = [bom.metadata.component['bom-ref'], ...bom.components.map((component) => component['bom-ref'])];
  expect(new Set(refs).size).toBe(refs.length);
  expect(bom.dependencies.map(({ ref }) => ref).toSorted()).toEqual(refs.toSorted());
  for (const { ref, dependsOn } of bom.dependencies) {
    expect([ref, dependsOn.filter((one) => !refs.includes(one))]).toEqual([ref, []]);
    expect(new Set(dependsOn).size).toBe(dependsOn.length);
  }
});

test('every package of production in the lock file is a component, with its license and the hash of the lock file, and no other is', () => {
  const locked = productionPackages(lock);
  expect(locked.length).toBeGreaterThan(150);
  for (const name of ['pg', 'zod', 'fastify', 'koffi', 'react', 'esbuild'])
    expect(bom.components.map((component) => component.name)).toContain(name);
  for (const [path, { version, integrity = '' }] of locked) {
    const found = bom.components.filter((one) => path.endsWith(`node_modules/${one.name}`) && one.version === version);
    expect([path, found.length]).toEqual([path, 1]);
    const content = found[0]?.hashes[0]?.content ?? '';
    expect(`sha512-${Buffer.from(content, 'hex').toString('base64')}`).toBe(integrity);
    expect(JSON.stringify(found[0]?.licenses)).not.toMatch(/unknown|\[\]/);
  }
  const known = new Set(locked.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`));
  expect(bom.components.filter(({ name, version }) => !known.has(`${name}@${version}`))).toEqual([]);
  expect(bom.components.some(({ name }) => name === 'vitest')).toBe(false);
});

test('what a package depends on is the version that Node finds for it', () => {
  const dependsOn = (ref: string) => bom.dependencies.find((one) => one.ref === ref)?.dependsOn ?? [];
  const versionOf = (path: string) => lock.packages[path]?.version;
  expect(dependsOn(`pkg:npm/smtp-server@${versionOf('node_modules/smtp-server')}`)).toContain(
    `pkg:npm/nodemailer@${versionOf('node_modules/smtp-server/node_modules/nodemailer')}`,
  );
  expect(dependsOn(bom.metadata.component['bom-ref'])).toContain(`pkg:npm/nodemailer@${versionOf('node_modules/nodemailer')}`);
});

test('the same commit gives the same bill, another one another number, and nothing of this computer is in it', () => {
  expect(bomOf(lock, 'a commit', time)).toEqual(bom);
  expect(bomOf(lock, 'another commit', time).serialNumber).not.toBe(bom.serialNumber);
  const text = JSON.stringify(bom);
  for (const own of [root, homedir(), hostname()]) expect(text.includes(own)).toBe(false);
  expect(text).not.toMatch(/"\/|file:|[A-Z]:\\\\/);
});
