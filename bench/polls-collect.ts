// Loaded into each server whose memory is measured: garbage is no memory of an agent, so it is collected before a reading.
process.on('SIGUSR2', () => globalThis.gc?.());
