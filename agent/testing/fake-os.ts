import { type FakeOs, fakeOs } from '../os/fake/fake.ts';

/** A system that does as the test says, for tests of one part. */
export const fakeSystem = (): FakeOs => fakeOs();
