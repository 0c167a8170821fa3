import { firstLoads, readManifest } from './dev/first-loads.ts';

export default firstLoads(readManifest()).map((load) => ({ ...load, gzip: true }));
