/** For `BUSY_AFTER_MS`: a machine with more to do than it can is no reason for a test's server to turn anybody away. */
export const unhurried = 600_000;
