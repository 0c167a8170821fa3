import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { type UnhandledError, unhandledErrorsFile } from './unhandled-errors.ts';

/** Writes unhandled errors beside the JSON report, which has no place for them: the run fails, and in a cut log nobody sees why. */
export default class UnhandledErrorsReporter implements Reporter {
  private file = '';
  private readonly errors: UnhandledError[] = [];

  onInit(vitest: Vitest): void {
    const { outputFile } = vitest.config;
    if (typeof outputFile !== 'object' || !outputFile.json) throw new Error('Name a file with --outputFile.json.');
    this.file = unhandledErrorsFile(outputFile.json);
    // Before Vitest's own listener, which ends the process.
    process.prependListener('unhandledRejection', (reason) => this.note({ message: `Unhandled Rejection of Vitest: ${textOf(reason)}` }));
    process.on('uncaughtExceptionMonitor', (error) => this.note({ message: `Uncaught Exception of Vitest: ${textOf(error)}` }));
    // What fails after the last test, such as a global teardown, Vitest hands to its logger only.
    const { logger } = vitest;
    const log = logger.error.bind(logger);
    logger.error = (...parts: unknown[]) => {
      if (parts[0] === 'error during close') this.note({ message: parts.map(textOf).join(': ') });
      log(...parts);
    };
  }

  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    for (const module of testModules)
      for (const suite of module.children.allSuites())
        for (const error of suite.errors()) this.note({ file: module.moduleId, test: suite.fullName, message: textOf(error) });
    for (const error of unhandledErrors) {
      const { type, VITEST_TEST_PATH: file, VITEST_TEST_NAME: test } = error as SerializedError & OriginOfError;
      this.note({ file, test, message: `${type ?? 'Unhandled Error'}: ${textOf(error)}` });
    }
  }

  private note(error: UnhandledError): void {
    this.errors.push(error);
    writeFileSync(this.file, JSON.stringify(this.errors));
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
