import { begin } from './setup.mjs';

// What people called wrong is in the server's database, which the catalogue's own command knows nothing of.
const ofServer = process.argv[2] === 'reports';
if (ofServer) process.argv.splice(2, 0, 'definitions');
await begin(ofServer ? 'server/cli/main.ts' : 'definitions/cli/main.ts');
