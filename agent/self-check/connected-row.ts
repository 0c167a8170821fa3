import { failed, notPlayed, type PlayedRow, passed } from './rows.ts';

/** The agent's own answer, which the dashboard reads too. */
export const connectedRow = (number: number): PlayedRow => ({
  ...{ how: 'played', number, part: 'connected', limitSeconds: 6 },
  step: 'Ask the agent on this computer for its state.',
  expected: 'The device is connected to an account.',
  async play({ status }) {
    if (!status) return notPlayed('An agent answers, but to the dashboard of another server.');
    const evidence = `Version ${status.v}, connected to an account: ${status.l && !status.g ? 'yes' : 'no'}.`;
    return status.l && !status.g ? passed(evidence) : failed(evidence);
  },
});
