// The executable is both: the agent, and the small process that answers names for it. Each loads nothing of the other.
const begin = process.argv[2] === 'site-filter' ? import('./site-filter.ts') : import('./main.ts');
begin.catch((err: unknown) => {
  process.stderr.write(`${String(err)}\n`);
  process.exit(1);
});
