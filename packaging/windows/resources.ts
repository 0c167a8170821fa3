import { brand } from '@porchlight/contract/brand.ts';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

/** US English in Unicode, the language that every Windows falls back to. */
const language = { lang: 1033, codepage: 1200 };
/** The GUI subsystem: Windows opens no console window. */
const desktop = 2;

export function describeWindows(file: Buffer, version: string): Buffer {
  const program = NtExecutable.from(file, { ignoreCert: true });
  const resources = NtExecutableResource.from(program);
  const [info] = Resource.VersionInfo.fromEntries(resources.entries);
  const about = info ?? Resource.VersionInfo.createEmpty();
  const [major = 0, minor = 0, micro = 0] = version.split('.').map(Number);
  about.setFileVersion(major, minor, micro, 0, language.lang);
  about.setProductVersion(major, minor, micro, 0, language.lang);
  about.setStringValues(language, {
    ProductName: brand.name,
    FileDescription: brand.name,
    CompanyName: brand.name,
    InternalName: 'porchlight-agent',
    OriginalFilename: 'porchlight-agent.exe',
    LegalCopyright: '',
  });
  about.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  program.newHeader.optionalHeader.subsystem = desktop;
  return Buffer.from(program.generate());
}
