import { begin } from './setup.mjs';

await begin('dev/start.ts', {
  settings: 'whole',
  help: `npm start            Starts all of Porchlight on this computer: the server, the dashboard, and an agent that protects
                     this computer once you have added it. Ctrl-C stops everything.
npm start -- --help  This page.

It needs no setting. docs/operating/settings.md has the table of those there are; they come from the environment or from a file .env.
For example on another port: PORT=4381 npm start`,
});
