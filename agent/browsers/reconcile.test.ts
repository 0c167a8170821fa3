import { describe, expect, it } from 'vitest';
import { type BrowserPolicyStore, isOfFirefox } from '../os/port.ts';
import { type PolicyComputer, policyComputers } from '../testing/policy-computers.ts';
import { type BrowserPolicyRecord, reconcile, type StoredPolicies } from './reconcile.ts';

const always = { incident: false, origins: ['https://mail.added.example'] };
const incident = { ...always, incident: true };

function recordInMemory(): BrowserPolicyRecord & { stored: StoredPolicies } {
  const record = {
    stored: { policies: [], containers: [] } as StoredPolicies,
    load: async () => record.stored,
    save: async (stored: StoredPolicies) => void (record.stored = stored),
  };
  return record;
}

const valueOf = ({ store }: PolicyComputer, id: string, ...path: string[]) =>
  store.read({ id, format: id.toLowerCase().includes('firefox') ? 'firefox' : 'chromium', own: false }, path);
const copy = ({ everything }: PolicyComputer) => structuredClone(everything());

/** An agent that is killed before its change number `count`: the promise settles then, and nothing is changed afterwards. */
function killedAt(count: number, store: BrowserPolicyStore, record: BrowserPolicyRecord) {
  let left = count;
  let kill = () => {};
  const killed = new Promise<'killed'>((resolve) => {
    kill = () => resolve('killed');
  });
  const counted =
    <A extends unknown[]>(change: (...args: A) => Promise<void>) =>
    async (...args: A): Promise<void> => {
      if (left-- > 0) return change(...args);
      kill();
      return new Promise(() => {});
    };
  const { set, remove, removeIfEmpty } = store;
  return {
    store: { ...store, set: counted(set), remove: counted(remove), removeIfEmpty: counted(removeIfEmpty) },
    record: { ...record, save: counted(record.save) },
    killed,
  };
}

describe.each(Object.entries(policyComputers))('[P12.2] the policies of the browsers on %s', (_system, computerOf) => {
  it('are set for each browser, but not where an administrator has set the same policy', async () => {
    const computer = await computerOf();
    expect((await reconcile(computer.store, recordInMemory(), always)).failures).toEqual([]);
    const { chrome, firefox } = computer;
    expect(await valueOf(computer, chrome, 'DnsOverHttpsMode')).toBe('off');
    expect(Number(await valueOf(computer, chrome, 'RemoteAccessHostAllowRemoteSupportConnections'))).toBe(0);
    // On Linux this is the document of our own, without the policy of the school; elsewhere it is the document that the school has filled.
    expect([null, 1]).toContain(await valueOf(computer, chrome, 'DefaultNotificationsSetting'));
    const notifications = (await valueOf(computer, firefox, 'Permissions', 'Notifications')) as Record<string, unknown>;
    expect(Number(notifications.BlockNewRequests)).toBe(1);
    const others = (await computer.store.documents()).filter((document) => !isOfFirefox(document) && document.id !== chrome);
    expect(others).toHaveLength(3);
    for (const { id } of others) expect(await valueOf(computer, id, 'DefaultNotificationsSetting'), id).toBe(2);
  });

  it('refuse screen sharing only while an incident is open, in the browsers that have such a policy, and the others stay throughout', async () => {
    const computer = await computerOf();
    const record = recordInMemory();
    const values = async () => [
      await valueOf(computer, computer.chrome, 'ScreenCaptureAllowed'),
      await valueOf(computer, computer.chrome, 'DnsOverHttpsMode'),
    ];
    await reconcile(computer.store, record, always);
    expect(await values()).toEqual([null, 'off']);
    expect((await reconcile(computer.store, record, incident)).failures).toEqual([]);
    const [sharing, names] = await values();
    expect([Number(sharing), names]).toEqual([0, 'off']);
    expect(sharing).not.toBeNull();
    await reconcile(computer.store, record, always);
    expect(await values()).toEqual([null, 'off']);
  });

  it('[P16.5] switch on what browsers can do: SmartScreen without a way past it in Edge alone, and Firefox’s own warnings; the level of Safe Browsing stays with nobody’s choice', async () => {
    const computer = await computerOf();
    await reconcile(computer.store, recordInMemory(), always);
    const documents = await computer.store.documents();
    const edge = documents.filter(({ format }) => format === 'edge');
    expect(edge).toHaveLength(1);
    const isOn = async (id: string, ...path: string[]) => Number(await valueOf(computer, id, ...path)) === 1;
    const smartScreen = ['SmartScreenEnabled', 'PreventSmartScreenPromptOverride', 'PreventSmartScreenPromptOverrideForFiles'];
    for (const { id, format } of documents) {
      const isOfEdge = format === 'edge';
      const names = format === 'chromium' || isOfEdge ? [...smartScreen, 'ScarewareBlockerProtectionEnabled'] : [];
      for (const name of names) expect(await isOn(id, name), `${id} ${name}`).toBe(isOfEdge);
      for (const name of ['SafeBrowsingEnabled', 'SafeBrowsingProtectionLevel']) expect(await valueOf(computer, id, name), id).toBeNull();
    }
    expect(await isOn(computer.firefox, 'DisableSecurityBypass', 'SafeBrowsing')).toBe(true);
    for (const what of ['malware', 'phishing', 'downloads'])
      expect(await isOn(computer.firefox, 'Preferences', `browser.safebrowsing.${what}.enabled`, 'Value'), what).toBe(true);
  });

  it('[P16.5] set Safe Browsing to standard where a user has switched it off, in that browser alone, and no longer when one has chosen more', async () => {
    const computer = await computerOf();
    const record = recordInMemory();
    const { chrome } = computer;
    const chromium = (await computer.store.documents()).filter((document) => !isOfFirefox(document));
    const levels = async () => {
      expect((await reconcile(computer.store, record, always)).failures).toEqual([]);
      for (const { id } of chromium) if (id !== chrome) expect(await valueOf(computer, id, 'SafeBrowsingProtectionLevel'), id).toBeNull();
      expect(await valueOf(computer, chrome, 'DnsOverHttpsMode')).toBe('off');
      return valueOf(computer, chrome, 'SafeBrowsingProtectionLevel');
    };
    const [off, standard, enhanced] = [{ enabled: false }, { enabled: true }, { enabled: true, enhanced: true }];
    computer.choose({ Default: standard, 'Profile 1': off });
    const before = copy(computer);
    expect(await levels()).toBe(1);
    expect(await levels()).toBe(1);
    computer.choose({ Default: enhanced, 'Profile 1': off });
    expect(await levels()).toBeNull();
    computer.choose({ Default: standard, 'Profile 1': off });
    expect(await levels()).toBe(1);
    expect((await reconcile(computer.store, record, 'none')).failures).toEqual([]);
    expect(copy(computer)).toEqual(before);
  });

  it.each(['SafeBrowsingProtectionLevel', 'SafeBrowsingEnabled'])(
    '[P16.5] leave Safe Browsing alone where an administrator has set %s',
    async (policy) => {
      const computer = await computerOf();
      const document = (await computer.store.documents()).find(({ id }) => id === computer.chrome);
      if (document) await computer.decide(document, policy, 0);
      computer.choose({ Default: { enabled: false } });
      await reconcile(computer.store, recordInMemory(), always);
      const level = await valueOf(computer, computer.chrome, 'SafeBrowsingProtectionLevel');
      expect([null, 0]).toContain(level);
      expect(await valueOf(computer, computer.chrome, 'DnsOverHttpsMode')).toBe('off');
    },
  );

  it('[P16.5] close the browsers’ stores while an incident is open, and no longer when it is over', async () => {
    const computer = await computerOf();
    const record = recordInMemory();
    const closed = async () => [
      Object.values(((await valueOf(computer, computer.chrome, 'URLBlocklist')) ?? {}) as object).includes('chromewebstore.google.com'),
      (await valueOf(computer, computer.firefox, 'InstallAddonsPermission', 'Default')) !== null,
    ];
    await reconcile(computer.store, record, always);
    expect(await closed()).toEqual([false, false]);
    await reconcile(computer.store, record, incident);
    expect(await closed()).toEqual([true, true]);
    expect(Number(await valueOf(computer, computer.firefox, 'InstallAddonsPermission', 'Default'))).toBe(0);
    await reconcile(computer.store, record, always);
    expect(await closed()).toEqual([false, false]);
  });

  it('[P15.5] let mail pages and an added page send notifications, none of both while an incident is open, and again after it; all other sites stay blocked throughout', async () => {
    const computer = await computerOf();
    const record = recordInMemory();
    const chromium = (await computer.store.documents()).filter((document) => !isOfFirefox(document) && document.id !== computer.chrome);
    expect(chromium).toHaveLength(3);
    const chromiumLists = async () => Promise.all(chromium.map(({ id }) => valueOf(computer, id, 'NotificationsAllowedForUrls')));
    const firefoxValue = () => valueOf(computer, computer.firefox, 'Permissions', 'Notifications');
    const [gmail, added] = ['https://mail.google.com', 'https://mail.added.example'];
    for (const wanted of [always, incident, always]) {
      expect((await reconcile(computer.store, record, wanted)).failures).toEqual([]);
      for (const list of await chromiumLists()) {
        if (wanted.incident) expect(list).toBeNull();
        else expect(list).toEqual(expect.arrayContaining([`${gmail}:443`, `${added}:443`]));
      }
      const sites = { [wanted.incident ? 'Block' : 'Allow']: expect.arrayContaining([gmail, added]) };
      const { BlockNewRequests, Locked, ...others } = (await firefoxValue()) as Record<string, unknown>;
      expect([others, Number(BlockNewRequests), Number(Locked)]).toEqual([sites, 1, 1]);
      for (const { id } of chromium) expect(await valueOf(computer, id, 'DefaultNotificationsSetting')).toBe(2);
    }
  });

  it('[P15.5] let an added site that was removed send none, and the others of the list stay', async () => {
    const computer = await computerOf();
    const record = recordInMemory();
    const [{ id } = { id: '' }] = (await computer.store.documents()).filter(
      (one) => one.format === 'chromium' && one.id !== computer.chrome,
    );
    const lists = async () => [
      (await valueOf(computer, id, 'NotificationsAllowedForUrls')) as string[],
      ((await valueOf(computer, computer.firefox, 'Permissions', 'Notifications')) as { Allow: string[] }).Allow,
    ];
    await reconcile(computer.store, record, { incident: false, origins: ['https://a.example:8443', 'https://b.example'] });
    const before = await lists();
    expect(before.map((list) => list.slice(-2))).toEqual([
      ['https://a.example:8443', 'https://b.example:443'],
      ['https://a.example:8443', 'https://b.example'],
    ]);
    await reconcile(computer.store, record, { incident: false, origins: ['https://b.example'] });
    expect(await lists()).toEqual(before.map((list) => list.filter((origin) => !origin.includes('a.example'))));
  });

  it('[P15.5] list no sites where an administrator decides about notifications, before or since, and elsewhere the list stays', async () => {
    const computer = await computerOf();
    const record = recordInMemory();
    await reconcile(computer.store, record, always);
    const list = (id: string) => valueOf(computer, id, 'NotificationsAllowedForUrls');
    expect(await list(computer.chrome)).toBeNull();
    const others = (await computer.store.documents()).filter(({ id, format }) => format === 'chromium' && id !== computer.chrome);
    const [changed, same] = others;
    if (!changed || !same) throw new Error('There are several browsers.');
    expect(await list(changed.id)).toHaveLength(((await list(same.id)) as string[]).length);
    await computer.decide(changed);
    await reconcile(computer.store, record, always);
    expect([await list(changed.id), Array.isArray(await list(same.id))]).toEqual([null, true]);
  });

  it('are gone when they are no longer wanted, and everything of others is as it was', async () => {
    const computer = await computerOf();
    const [record, before] = [recordInMemory(), copy(computer)];
    await reconcile(computer.store, record, always);
    expect(copy(computer)).not.toEqual(before);
    expect((await reconcile(computer.store, record, 'none')).failures).toEqual([]);
    expect(copy(computer)).toEqual(before);
    expect(record.stored).toEqual({ policies: [], containers: [] });
  });

  it('that someone has changed since belong to them, and stay when ours go', async () => {
    const computer = await computerOf();
    const record = recordInMemory();
    await reconcile(computer.store, record, always);
    const document = { id: computer.firefox, format: 'firefox' as const, own: false };
    await computer.store.set(document, ['DNSOverHTTPS'], { Enabled: true, Locked: true });
    await reconcile(computer.store, record, always);
    await reconcile(computer.store, record, 'none');
    const stays = (await valueOf(computer, computer.firefox, 'DNSOverHTTPS')) as Record<string, unknown>;
    expect(Number(stays.Enabled)).toBe(1);
    expect(await valueOf(computer, computer.firefox, 'Permissions', 'Notifications')).toBeNull();
  });

  it('change nothing when they are set already', async () => {
    const computer = await computerOf();
    const record = recordInMemory();
    await reconcile(computer.store, record, always);
    const { store, record: watched, killed } = killedAt(0, computer.store, record);
    expect(await Promise.race([killed, reconcile(store, watched, always)])).toMatchObject({ failures: [] });
  });

  it('are gone without a trace after an agent was killed before any of its changes', async () => {
    for (let count = 0, finished = 0; finished < 2; count++) {
      finished = 0;
      for (const wanted of [true, false]) {
        const computer = await computerOf();
        const [record, before] = [recordInMemory(), copy(computer)];
        if (!wanted) await reconcile(computer.store, record, always);
        const doomed = killedAt(count, computer.store, record);
        const outcome = await Promise.race([doomed.killed, reconcile(doomed.store, doomed.record, wanted ? always : 'none')]);
        if (outcome !== 'killed') finished++;
        expect((await reconcile(computer.store, record, 'none')).failures).toEqual([]);
        expect(copy(computer), `killed before change ${count}, wanted ${wanted}`).toEqual(before);
      }
    }
  });
});
