const program = new URL('../dns-filter.ts', import.meta.url).href;

/**
 * The command of a DNS filter that leaves this computer's DNS settings alone: it drops `--system`, with which the real program restores them when it ends.
 * The test runs as root, and an installed agent may use them.
 */
export const commandWithoutSystem = (): string[] => {
  const script = `process.argv = process.argv.filter((word) => word !== '--system'); await import(${JSON.stringify(program)});`;
  return [process.execPath, '--input-type=module', '-e', script, '--'];
};
