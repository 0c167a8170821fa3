// `npm run build`: everything that `npm run serve` needs and that is not in the repository.
import { buildDashboard } from './build-dashboard.ts';

const unknownOptions = process.argv.slice(2);
if (unknownOptions.length) {
  console.error(`npm run build does not know ${unknownOptions.join(' ')}; npm run build -- --help names what it knows.`);
  process.exit(2);
}
try {
  const state = await buildDashboard((sentence) => console.log(sentence));
  if (state === 'none')
    throw new Error('The dashboard cannot be built, because dashboard/vite.config.ts is not there. Check out the whole repository.');
  console.log(
    state === 'built'
      ? 'The dashboard is in dashboard/dist. npm run serve starts the server.'
      : 'The dashboard in dashboard/dist is up to date.',
  );
} catch (reason) {
  console.error(reason instanceof Error ? reason.message : reason);
  process.exitCode = 1;
}
