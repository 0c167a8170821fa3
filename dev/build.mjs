import { begin } from './setup.mjs';

await begin('dev/build.ts', {
  help: `npm run build             Builds the dashboard into dashboard/dist, from where npm run serve offers it. Installs the packages first if they
                          are missing, those of development too.
npm run build -- --help   This page.`,
});
