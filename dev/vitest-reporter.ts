import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { describeFailure, emptyTally, writeTally } from './tally.ts';

/** Counts tests and describes failures, also the errors outside the tests, for which Vitest's own reports have no place. */
export default class TallyReporter implements Reporter {
  private readonly tally = emptyTally();

  onInit({ logger }: Vitest): void {
    // Before Vitest's own listener, which ends the process.
    process.prependListener('unhandledRejection', (reason) => this.noteUncaught(`Unhandled Rejection of Vitest: ${textOf(reason)}`));
    process.on('uncaughtExceptionMonitor', (error) => this.noteUncaught(`Uncaught Exception of Vitest: ${textOf(error)}`));
    // What fails after the last test, such as a global teardown, Vitest hands to its logger only.
    const log = logger.error.bind(logger);
    logger.error = (...parts: unknown[]) => {
      if (parts[0] === 'error during close') this.noteUncaught(parts.map(textOf).join(': '));
      log(...parts);
    };
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const { tally } = this;
    for (const module of modules) {
      const fail = (title: string, error: unknown) => tally.failures.push(describeFailure(module.moduleId, title, textOf(error)));
      for (const error of module.errors()) fail('the file itself', error);
      for (const suite of module.children.allSuites()) for (const error of suite.errors()) fail(suite.fullName, error);
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'failed') fail(test.fullName, errors[0]);
        else if (state === 'passed') tally.passed += 1;
        else tally.skipped += 1;
        if (test.diagnostic()?.flaky) tally.flaky.push(describeFailure(module.moduleId, test.fullName, textOf(errors?.[0])));
      }
    }
    for (const error of unhandledErrors) {
      const {
        type = 'Unhandled Error',
        VITEST_TEST_PATH: file = 'vitest',
        VITEST_TEST_NAME: test,
      } = error as SerializedError & OriginOfError;
      tally.failures.push(describeFailure(file, test ?? 'outside the tests', `${type}: ${textOf(error)}`));
    }
    writeTally(tally);
  }

  private noteUncaught(message: string): void {
    this.tally.failures.push(describeFailure('vitest', 'outside the tests', message));
    writeTally(this.tally);
  }
}

/** What Vitest adds to an error that it caught outside the tests. */
interface OriginOfError {
  type?: string;
  VITEST_TEST_PATH?: string;
  VITEST_TEST_NAME?: string;
}

/** The stack of a crossed process boundary may lack the message, or the error be no `Error`. */
function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message = '', stack = '', cause } = thrown as Partial<Error>;
  const text = stack.includes(message) ? stack : `${message}\n${stack}`;
  return cause === undefined ? text || JSON.stringify(thrown) : `${text}\nCaused by: ${textOf(cause)}`;
}
