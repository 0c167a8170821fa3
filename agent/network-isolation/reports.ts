/** What the server learns of an isolation. `put_back`: how often the agent set it again, because somebody had taken it away. */
export interface IsolationReport {
  isolation: string;
  in_force: boolean;
  put_back: number;
}

const BETWEEN_MS = 30_000;

/**
 * Decides when an isolation is reported: at once when it is not in force for the first time, or was put back for the first time; then with its
 * newest state every 30 seconds at most, because a program can take it away in a loop. The server expects it to be in force.
 */
export function isolationReports(send: (report: IsolationReport) => Promise<void>, up: () => number) {
  let sent: IsolationReport | null = null;
  let sentAt = Number.NEGATIVE_INFINITY;
  let hasReportedLoss = false;
  return {
    /** `isLast`: the isolation ends, so the number is final. */
    async consider(report: IsolationReport, isLast: boolean): Promise<void> {
      if (sent?.isolation !== report.isolation) {
        sent = { isolation: report.isolation, in_force: true, put_back: 0 };
        [sentAt, hasReportedLoss] = [Number.NEGATIVE_INFINITY, false];
      }
      const isNew = report.put_back !== sent.put_back || (report.in_force !== sent.in_force && !isLast);
      const isFirst = (!report.in_force && !hasReportedLoss) || sent.put_back === 0;
      const isDue = isLast || isFirst || Math.abs(up() - sentAt) >= BETWEEN_MS;
      if (!isNew || !isDue) return;
      [sent, sentAt, hasReportedLoss] = [report, up(), hasReportedLoss || !report.in_force];
      await send(report);
    },
  };
}
