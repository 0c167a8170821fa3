// One executable contains three programs; dynamic imports load only the one needed.
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
