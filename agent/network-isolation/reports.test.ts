import { expect, it } from 'vitest';
import { type IsolationReport, isolationReports } from './reports.ts';

const isolation = 'f4a1f3f0-4a0e-4f0e-9a55-0a3a6d3c5f10';

it('an isolation that a program takes away in a loop for 15 minutes is reported at once, twice a minute, and with its number at the end', async () => {
  let up = 0;
  const sent: IsolationReport[] = [];
  const reports = isolationReports(
    async (report) => void sent.push(report),
    () => up,
  );
  await reports.consider({ isolation, in_force: true, put_back: 0 }, false);
  expect(sent).toEqual([]);
  for (let put_back = 1; put_back < 900; put_back++) {
    up += 1000;
    // Each time the firewall refuses once.
    for (const in_force of [false, true]) await reports.consider({ isolation, in_force, put_back }, false);
  }
  await reports.consider({ isolation, in_force: true, put_back: 899 }, true);
  expect(sent.slice(0, 3).map(({ in_force, put_back }) => [in_force, put_back])).toEqual([
    [false, 1],
    [false, 31],
    [false, 61],
  ]);
  expect(sent.at(-1)).toEqual({ isolation, in_force: true, put_back: 899 });
  expect(sent.length).toBeLessThanOrEqual(32);
});
