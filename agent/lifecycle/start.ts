// The executable is three: the agent, the small process that answers names for it, and the one that works on a person's file. Each loads nothing of the others.
const begin = async () => {
  switch (process.argv[2]) {
    case 'site-filter':
      return import('../dns-filter.ts');
    case 'as-owner':
      return import('../lib/files/as-owner-process.ts');
    default:
      return import('../main.ts');
  }
};
begin().catch((err: unknown) => {
  process.stderr.write(`${String(err)}\n`);
  process.exit(1);
});
