import { parse } from 'yaml';
import { z } from 'zod';
import { commandFile } from '../command-file.ts';

/** A LOLRMM file. Fields may be absent, empty or of another shape; all forms are accepted. */
export interface LolrmmTool {
  name: string;
  /** `RMM` (remote management) or `RAT` (remote-access trojan). */
  category: string;
  paths: string[];
  pe: { Filename?: string; OriginalFileName?: string; Product?: string; Company?: string }[];
  signers: string[];
  companies: string[];
  hosts: string[];
  services: string[];
}

const words = z.preprocess((value) => (value === null || value === undefined ? '' : String(value)), z.string());
const arrayOf = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) =>
      Array.isArray(value) ? value.filter((one) => one !== null) : value === null || value === undefined || value === '' ? [] : [value],
    z.array(schema),
  );
const record = <T extends z.ZodRawShape>(shape: T) =>
  z.preprocess((value) => (typeof value === 'object' && value !== null ? value : {}), z.object(shape));

const raw = z.object({
  Name: words,
  Category: words,
  Details: record({
    InstallationPaths: arrayOf(words),
    PEMetadata: arrayOf(record({ Filename: words, OriginalFileName: words, Product: words, Company: words })),
  }),
  Artifacts: record({
    Disk: arrayOf(record({ File: words })),
    EventLog: arrayOf(record({ ServiceName: words, ImagePath: words })),
    Registry: arrayOf(record({ Path: words })),
    Network: arrayOf(record({ Domains: arrayOf(words) })),
  }),
  CodeSigning: record({
    signer_names: arrayOf(words),
    company_names: arrayOf(words),
    certificates: arrayOf(record({ signer_name: words, src_file_company: words })),
  }),
});

const service = /\\SYSTEM\\CurrentControlSet\\Services\\([^\\*]+)$/i;

export function readLolrmm(text: string): LolrmmTool {
  let yaml: unknown;
  try {
    // YAML aliases are refused: a few lines of aliases can expand to gigabytes.
    yaml = parse(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch (reason) {
    throw new Error(`is not YAML: ${(reason instanceof Error ? reason.message : String(reason)).split('\n')[0]}`, { cause: reason });
  }
  const { success, data } = raw.safeParse(yaml);
  if (!success) throw new Error('is not a tool as LOLRMM describes one');
  if (data.Name.trim() === '') throw new Error('has no Name');
  const { Details, Artifacts, CodeSigning } = data;
  const programs = [...Artifacts.Disk.map(({ File }) => File), ...Artifacts.EventLog.map(({ ImagePath }) => commandFile(ImagePath).path)];
  const present = (values: string[]) => [
    ...new Set(values.map((value) => value.trim()).filter((value) => value !== '' && value !== 'N/A')),
  ];
  return {
    name: data.Name.trim(),
    category: data.Category,
    paths: present([...Details.InstallationPaths, ...programs.filter((path) => /\.exe$/i.test(path))]),
    pe: Details.PEMetadata,
    signers: present([...CodeSigning.signer_names, ...CodeSigning.certificates.map(({ signer_name }) => signer_name)]),
    companies: present([
      ...Details.PEMetadata.map(({ Company }) => Company),
      ...CodeSigning.company_names,
      ...CodeSigning.certificates.map(({ src_file_company }) => src_file_company),
    ]),
    hosts: present(Artifacts.Network.flatMap(({ Domains }) => Domains)),
    services: present([
      ...Artifacts.EventLog.map(({ ServiceName }) => ServiceName),
      ...Artifacts.Registry.map(({ Path }) => service.exec(Path)?.[1] ?? ''),
    ]),
  };
}
