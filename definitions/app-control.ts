import { fold, foldMaker, foldOriginal } from './fold.ts';
import type { Definition } from './format.ts';
import type { CompiledSet } from './index-marks.ts';

/** `enforced`: denied programs do not start. `audit`: Windows only writes an event for each. */
type AppControlMode = 'enforced' | 'audit';

export interface AppControlState {
  mode: AppControlMode;
  /** A whole number below 2^32. It grows, so that a policy never seems older than the policy before it. */
  version: number;
}

/** What Windows compares whole, in the version information of a file. `FileName` is its original name, not the name on disk. */
export interface AppControlRule {
  attribute: 'FileName' | 'ProductName';
  value: string;
  /** The definition that the rule comes from. */
  identifier: string;
}

/** Fixed, so that a later policy takes the place of an earlier one, and an administrator can remove it by hand. */
export const appControlPolicyId = '{6B0F4C1E-2D6B-4E0B-9C57-5A1D7E9B83F4}';

/** The GUID by which Windows knows that a policy is for Windows, in all of Microsoft's templates. */
const platformId = '{2E07F7E4-194C-4D20-B7C9-6F44A6C5A234}';
/** Products of Microsoft and of Windows, also where malware claims the name, and our own. */
const protectedProduct = /\b(microsoft|windows|porchlight)\b/;
const protectedProgram = /^(porchlight|node(\.|$))/;
const controlCharacter = /\p{Cc}/u;

/**
 * The rules for these definitions, in the order of their values. Each value belongs to one definition of the whole set alone, since a rule sees
 * one value and cannot weigh it against others as the matcher does.
 */
export function appControlRules(set: CompiledSet, denied: Definition[]): AppControlRule[] {
  const rules = denied
    .filter(mayBeDenied)
    .flatMap((definition): AppControlRule[] => [
      ...definition.programs.original_names
        .filter((name) => isDistinctiveOriginal(name, definition, set))
        .map((value) => ({ attribute: 'FileName' as const, value, identifier: definition.identifier })),
      ...definition.programs.products
        .filter((product) => isDistinctiveProduct(product, definition, set))
        .map((value) => ({ attribute: 'ProductName' as const, value, identifier: definition.identifier })),
    ]);
  const byValue = new Map(rules.map((rule) => [sortKey(rule), rule]));
  return [...byValue].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rule]) => rule);
}

/** Windows compares without case. */
const sortKey = ({ attribute, value }: AppControlRule) => `${attribute}/${value.toLowerCase()}`;

function mayBeDenied({ part_of_system, category, programs }: Definition): boolean {
  const makers = [...programs.companies, ...programs.signers, ...programs.broad_signers].map(foldMaker);
  const isOfMicrosoft = makers.some((maker) => /^microsoft\b/.test(maker));
  return !part_of_system && category !== 'ScamWebsite' && !isOfMicrosoft;
}

function isDistinctiveOriginal(name: string, definition: Definition, set: CompiledSet): boolean {
  const foldedName = foldOriginal(name);
  const isOfSibling = (definition.not.original_names ?? []).some((other) => foldOriginal(other) === foldedName);
  return (
    set.distinctive_originals.get(foldedName) === definition &&
    !isOfSibling &&
    !protectedProgram.test(foldedName) &&
    !controlCharacter.test(name)
  );
}

/**
 * A product is weak evidence for the matcher, so here it counts only for a vendor that signs nothing harmless, all of whose programs are stopped
 * anyhow.
 */
function isDistinctiveProduct(product: string, definition: Definition, set: CompiledSet): boolean {
  if (definition.programs.signers.length === 0) return false;
  const foldedProduct = fold(product);
  const isOfSibling = (definition.not.products ?? []).some((other) => fold(other) === foldedProduct);
  return (
    set.distinctive_products.get(foldedProduct)?.[0] === definition &&
    !isOfSibling &&
    !protectedProduct.test(foldedProduct) &&
    !controlCharacter.test(product)
  );
}

/**
 * The XML of a policy in the format of several policies, which exists since Windows 10 1903. Same input, same text. It allows all but what it
 * denies, and denies nothing to drivers.
 */
export function appControlPolicy(set: CompiledSet, denied: Definition[], { mode, version }: AppControlState): string {
  const deniedRules = appControlRules(set, denied).map((rule, index) => ({ ...rule, id: `ID_DENY_P_${index + 1}` }));
  const denials = deniedRules.map(
    ({ id, attribute, value, identifier }) =>
      // Without both versions a rule is only about files below or above one of them.
      `    <Deny ID="${id}" FriendlyName="${escape(identifier)}" ${attribute}="${escape(value)}" MinimumFileVersion="0.0.0.0" MaximumFileVersion="65535.65535.65535.65535" />\n`,
  );
  const references = ['ID_ALLOW_A_2', ...deniedRules.map(({ id }) => id)].map(reference);
  return `<?xml version="1.0" encoding="utf-8"?>
<SiPolicy xmlns="urn:schemas-microsoft-com:sipolicy" PolicyType="Base Policy">
  <VersionEx>10.0.${Math.floor(version / 65_536)}.${version % 65_536}</VersionEx>
  <PolicyID>${appControlPolicyId}</PolicyID>
  <BasePolicyID>${appControlPolicyId}</BasePolicyID>
  <PlatformID>${platformId}</PlatformID>
  <Rules>
${optionsOf(mode)
  .map((option) => `    <Rule><Option>${option}</Option></Rule>\n`)
  .join('')}  </Rules>
  <EKUs />
  <FileRules>
    <Allow ID="ID_ALLOW_A_1" FriendlyName="Allow kernel drivers" FileName="*" />
    <Allow ID="ID_ALLOW_A_2" FriendlyName="Allow user mode components" FileName="*" />
${denials.join('')}  </FileRules>
  <Signers />
  <SigningScenarios>
    <SigningScenario Value="131" ID="ID_SIGNINGSCENARIO_DRIVERS" FriendlyName="Kernel mode">
      <ProductSigners>
        <FileRulesRef>
${reference('ID_ALLOW_A_1')}        </FileRulesRef>
      </ProductSigners>
    </SigningScenario>
    <SigningScenario Value="12" ID="ID_SIGNINGSCENARIO_WINDOWS" FriendlyName="User mode">
      <ProductSigners>
        <FileRulesRef>
${references.join('')}        </FileRulesRef>
      </ProductSigners>
    </SigningScenario>
  </SigningScenarios>
  <UpdatePolicySigners />
  <CiSigners />
  <HvciOptions>0</HvciOptions>
  <Settings>
    <Setting Provider="AllHostIds" Key="AllKeys" ValueName="EnterpriseDefinedClsId">
      <Value><Boolean>true</Boolean></Value>
    </Setting>
    <Setting Provider="PolicyInfo" Key="Information" ValueName="Name">
      <Value><String>Porchlight: remote-access tools</String></Value>
    </Setting>
  </Settings>
</SiPolicy>
`;
}

const reference = (id: string) => `          <FileRuleRef RuleID="${id}" />\n`;

/**
 * Unsigned, so that an administrator can remove the policy. A replaced one is in force without a restart, unlike a removed one before Windows 11
 * 24H2. The advanced boot menu stays, which every policy takes away otherwise. With script enforcement PowerShell would run in constrained
 * language mode. All COM objects are allowed in the settings, since a policy for user mode begins with a short list of them.
 */
function optionsOf(mode: AppControlMode): string[] {
  return [
    'Enabled:Unsigned System Integrity Policy',
    'Enabled:UMCI',
    'Enabled:Update Policy No Reboot',
    'Enabled:Advanced Boot Options Menu',
    'Disabled:Script Enforcement',
    ...(mode === 'enforced' ? ['Enabled:Boot Audit On Failure'] : ['Enabled:Audit Mode']),
  ];
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
