import type { FullConfig, Reporter, Suite, TestError } from '@playwright/test/reporter';
import { describeFailure, emptyTally, writeTally } from './tally.ts';

/** Counts tests and describes failures, as `vitest-reporter.ts` does. */
export default class TallyReporter implements Reporter {
  private readonly tally = emptyTally();
  private suite: Suite | null = null;

  onBegin(_: FullConfig, suite: Suite): void {
    this.suite = suite;
  }

  onError({ message = '' }: TestError): void {
    this.tally.failures.push(describeFailure('playwright', 'outside the tests', message));
  }

  onEnd(): void {
    const { tally } = this;
    for (const test of this.suite?.allTests() ?? []) {
      const outcome = test.outcome();
      const message = test.results.find(({ error }) => error)?.error?.message ?? '';
      const text = describeFailure(test.location.file, test.title, message);
      if (outcome === 'unexpected') tally.failures.push(text);
      else if (outcome === 'skipped') tally.skipped += 1;
      else tally.passed += 1;
      if (outcome === 'flaky') tally.flaky.push(text);
    }
    writeTally(tally);
  }

  printsToStdio(): boolean {
    return false;
  }
}
