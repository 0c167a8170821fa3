import { type FakeOs, fakeOs } from '../os/fake/fake.ts';

export const fakeSystem = (): FakeOs => fakeOs();
