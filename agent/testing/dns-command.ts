const program = new URL('../dns-filter.ts', import.meta.url).href;

/**
 * The command of a DNS filter that leaves this computer's DNS settings alone: it drops `--system`, with which the real program restores them when it ends.
 * The test runs as root, and an installed agent may use them.
 */
export const commandWithoutSystem = (): string[] => {
  const script = `process.argv = process.argv.filter((word) => word !== '--system'); await import(${JSON.stringify(program)});`;
  return [process.execPath, '--input-type=module', '-e', script, '--'];
};

/** For an agent that can do everything, with a DNS filter that changes nothing of this computer. */
export const sitesWithoutSystem = {
  command: commandWithoutSystem,
  own: { address: '127.0.0.1', port: 0 },
  page: null,
  system: true,
  upstream: [{ address: '192.0.2.9', port: 53 }],
};
