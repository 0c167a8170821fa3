import { compileSet } from '@porchlight/definitions/match.ts';
import { shippedCatalogue } from '@porchlight/definitions/testing/shipped-catalogue.ts';
import { expect, test } from 'vitest';
import { detectPrograms } from './detectors/programs.ts';

const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: shippedCatalogue() });
const viewer = { original_name: 'vncviewer.exe', company: 'RealVNC Ltd' };
const server = { original_name: 'vncserver.exe', company: 'RealVNC Ltd' };
const ownBrand = { original_name: 'bank.exe', company: 'Example Bank' };

test.each([
  ['a viewer', viewer, [], 'realvnc', true],
  ['a server', server, [], 'realvnc', undefined],
  ['a build of RustDesk with the version information of a viewer', viewer, ['librustdesk.dll'], 'rustdesk', undefined],
  ['a build of RustDesk with a brand of its own', ownBrand, ['librustdesk.dll'], 'rustdesk', undefined],
  ['a program that is on no list', ownBrand, [], undefined, undefined],
])('[P15.3] %s is found as what it is', (_what, facts, libraries, identifier, is_client) => {
  const name = facts === ownBrand ? 'bank.exe' : 'vncviewer.exe';
  const process = { pid: 7, started: '1', path: `C:\\x\\${name}`, program: { os: 'windows' as const, name, ...facts } };
  const [found] = detectPrograms([process], set, () => libraries);
  expect([found?.match.identifier, found?.is_client]).toEqual([identifier, is_client]);
});

test.each([
  ['a viewer in Wine', 'windows', 'tvnviewer.exe', 'tightvnc', true],
  ['a server in Wine', 'windows', 'tvnserver.exe', 'tightvnc', undefined],
  ['a package in Windows Installer', 'windows', 'AnyDesk.msi', 'anydesk', undefined],
  ['a viewer that a script is', 'linux', 'xtigervncviewer', 'tigervnc', true],
  ['a server that a script is', 'linux', 'tigervncserver', 'tigervnc', undefined],
  ['a script with another name', 'linux', 'backup', undefined, undefined],
  ['the name of a program with the ending of a script', 'linux', 'anydesk.sh', undefined, undefined],
] as const)('[P15.3] %s is found as what it is', (_what, os, name, identifier, is_client) => {
  // The interpreter's own name would be found, if it counted.
  const program = { os: 'linux' as const, name: 'anydesk' };
  const process = { pid: 7, started: '1', path: '/usr/bin/x', program, runs: { path: `/x/${name}`, program: { os, name }, skipped: 1 } };
  const [found] = detectPrograms([process], set, () => []);
  expect([found?.match.identifier, found?.is_client]).toEqual([identifier, is_client]);
});
