import { type UnpackedProgram, unpackedLibraries } from './unpacked-program.ts';

const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';

/** The resolver of Ubuntu and Fedora. Its package would make it the resolver of this computer. */
export const resolvedProgram: UnpackedProgram = {
  name: 'systemd-resolved',
  debianPackage: 'systemd-resolved',
  path: '/lib/systemd/systemd-resolved',
  libraries: { debianPackage: 'libsystemd-shared', path: `/usr/lib/${triplet}/systemd` },
};

/** The variables with which the program finds its libraries. */
export const resolvedEnvironment = { LD_LIBRARY_PATH: unpackedLibraries(resolvedProgram) };
