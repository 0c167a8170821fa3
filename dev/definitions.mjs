import { begin } from './setup.mjs';

// What people called wrong is in the server's database, which the catalogue's own command does not know.
const ofServer = process.argv[2] === 'reports';
if (ofServer) process.argv.splice(2, 0, 'definitions');
await begin(ofServer ? 'server/cli/main.ts' : 'definitions/cli/main.ts', {
  longHelp: true,
  needs: 'production',
  help: `npm run -s definitions -- check     Says what is wrong with the catalogue, and what to change.
npm run -s definitions -- --help    This page; once the packages are installed, all commands: match, diff, publish, import, …`,
});
