import { afterEach, describe, expect, test, vi } from 'vitest';
import { canonicalHost } from '../sites/host.ts';
import { benignDomains, sharedDataIsThere } from '../testing/shared-data.ts';
import { shippedRules } from '../testing/shipped-catalogue.ts';
import type { MoneyKind } from './format.ts';
import { compileMoneySites, listMoney, mayRest } from './money-sites.ts';

const { listed } = shippedRules();
const compile = (own: string[], exceptions: string[]) => compileMoneySites({ listed, own, exceptions });
const shipped = compile([], []);

function kindOf(typedHost: string, sites = shipped): MoneyKind | null {
  const read = canonicalHost(typedHost);
  if ('wrong' in read) throw new Error(`${typedHost}: ${read.wrong}`);
  return sites.kindOf(read.host);
}

const words = (text: string) => text.trim().split(/\s+/);

const moneyHosts: Record<MoneyKind, string[]> = {
  bank: words(`
    chase.com www.chase.com secure05c.chase.com bankofamerica.com secure.bankofamerica.com wellsfargo.com connect.secure.wellsfargo.com
    citi.com online.citi.com citibankonline.com usbank.com onlinebanking.usbank.com us.hsbc.com navyfederal.org navyfcu.org becu.org
    usaa.com td.com tdbank.com rbcroyalbank.com www1.royalbank.com cibc.com barclays.co.uk bank.barclays.co.uk natwest.com nwolb.com
    bank.marksandspencer.com aib.ie 365online.com commbank.com.au netbank.com.au anz.co.nz sparkasse.de meine.deutsche-bank.de
    sparkasse.at ebanking.bawagpsk.com postfinance.ch mabanque.bnpparibas bancosantander.es intesasanpaolo.com ing.nl
    swedbank.se dnb.no danskebank.dk op.fi hdfcbank.com netbanking.hdfc.bank.in onlinesbi.sbi americanexpress.com usdirectexpress.com`),
  exchange: words('binance.com accounts.binance.us coinbase.com pro.coinbase.com kraken.com crypto.com gemini.com okx.com bitpanda.com'),
  wire: words('westernunion.com www.westernunion.com moneygram.com wise.com remitly.com xoom.com riamoneytransfer.com worldremit.com'),
  gift_card: words(
    'giftcards.com www.giftcardmall.com egifter.com raise.com bitrefill.com paysafecard.com balance.vanillagift.com moneypak.com',
  ),
  crypto_machine: words(
    'bitcoindepot.com coinflip.tech athenabitcoin.com rockitcoin.com bytefederal.com localcoinatm.com cryptolink.com.au',
  ),
  payment_app: words(
    'paypal.com www.paypal.com paypal.me venmo.com cash.app zellepay.com enroll.zellepay.com twint.ch etransfer.interac.ca',
  ),
  broker: words(
    'fidelity.com digital.fidelity.com netbenefits.com vanguard.com schwab.com client.schwab.com robinhood.com hl.co.uk etoro.com',
  ),
  gold: words('apmex.com jmbullion.com sdbullion.com goldco.com bullionvault.com bullionbypost.co.uk proaurum.de birchgold.com'),
};

test.each(Object.entries(moneyHosts).flatMap(([kind, hosts]) => hosts.map((host) => [host, kind])))(
  '%s is a money site of the kind %s',
  (host, kind) => {
    expect(kindOf(host)).toBe(kind);
  },
);

const openHosts = words(`
  jpmorganchase.com citigroup.com goldmansachs.com home.barclays hsbc.com natwestgroup.com lloydsbankinggroup.com santander.com
  db.com unicreditgroup.eu commbank.com newsroom.wf.example bankrate.com nerdwallet.com bloomberg.com reuters.com wsj.com cnbc.com
  coindesk.com coingecko.com kitco.com bitcoin.org wikipedia.org
  chase.com.evil.example chase-com.example notchase.com chase.co chasecom.com paypal.com.example paypal.example paypa1.com
  bankofamerica.example secure-bankofamerica.example wellsfargo.com.example mychase.example coinbase.com.example
  amazon.com pay.amazon.com apple.com walmart.com target.com google.com pay.google.com ebay.com bestbuy.com costco.com
  store.steampowered.com paypalobjects.com www.paypalobjects.com stripe.com js.stripe.com squareup.com shopify.com visa.com mastercard.com
  microsoft.com windowsupdate.com login.live.com icloud.com gstatic.com firefox.com gmail.com outlook.com yahoo.com
  irs.gov ssa.gov treasurydirect.gov studentaid.gov gov.uk canada.ca fdic.gov federalreserve.gov ecb.europa.eu
  medicare.gov mychart.org cvs.com nhs.uk github.io someone.github.io example.com localhost com co.uk bank bank.in`);

test.each(openHosts)('%s stays open', (host) => {
  expect(kindOf(host)).toBeNull();
});

test('an address is no money site, and neither is an empty host', () => {
  expect(['192.0.2.1', '[2001:db8::1]', ''].map((host) => shipped.kindOf(host))).toEqual([null, null, null]);
});

test.each([
  ['Chase.COM', 'bank'],
  ['chase.com.', 'bank'],
  ['WWW.Chase.Com.', 'bank'],
  ['https://user@secure.chase.com:443/login?x#y', 'bank'],
  ['ｃｈａｓｅ．ｃｏｍ', 'bank'],
  ['сhase.com', null],
  ['chase.com.evil.example.', null],
])('%s, read as a browser does, is a money site of the kind %s', (typedHost, kind) => {
  expect(kindOf(typedHost)).toBe(kind);
});

describe('sites that the relatives entered as their own bank', () => {
  const sites = compileMoneySites({
    listed,
    own: ['https://www.Village-Savings.example/login', 'bücher-bank.example', 'online.regional.example', 'paypal.com', 'mail.chase.com'],
    exceptions: [],
  });

  test.each([
    ['village-savings.example', 'bank'],
    ['login.village-savings.example', 'bank'],
    ['xn--bcher-bank-9db.example', 'bank'],
    ['online.regional.example', 'bank'],
    ['regional.example', null],
    ['news.regional.example', null],
    ['othervillage-savings.example', null],
    ['www.paypal.com', 'bank'],
    ['mail.chase.com', 'bank'],
    ['coinbase.com', 'exchange'],
  ])('%s has the kind %s', (host, kind) => {
    expect(kindOf(host, sites)).toBe(kind);
  });

  test('are left out where a mistyped name would take down more than a bank, while the others stay', () => {
    const harmful = words(
      'com co.uk bank github.io azurewebsites.net google.com accounts.google.com login.live.com microsoft.com www.nhs.uk',
    );
    const mistyped = compile([...harmful, '', 'my bank', '192.0.2.1', 'a.example'], []);
    const stopped = [...harmful, 'someone.github.io', 'mail.google.com', 'x.co.uk', 'example.com'].filter((host) => kindOf(host, mistyped));
    expect(stopped).toEqual([]);
    expect(kindOf('a.example', mistyped)).toBe('bank');
    expect(kindOf('chase.com', mistyped)).toBe('bank');
  });

  test('can be one customer of a shared host, but not the shared host', () => {
    const one = compile(['our-bank.github.io', 'our-bank.wpengine.com', 'wpengine.com'], []);
    expect([kindOf('our-bank.github.io', one), kindOf('www.our-bank.github.io', one)]).toEqual(['bank', 'bank']);
    expect([kindOf('github.io', one), kindOf('other.github.io', one)]).toEqual([null, null]);
    expect(['our-bank.wpengine.com', 'wpengine.com', 'other.wpengine.com'].map((host) => kindOf(host, one))).toEqual(['bank', null, null]);
  });
});

test('[P16.1] what may rest follows the list of the set: its own sites may, the parents of those may not, and no set closes a shared host', () => {
  const other = listMoney([{ kind: 'bank', domains: ['new-bank.example', 'online.parent.example', 'com', 'github.io'] }]);
  const sites = compileMoneySites({ listed: other, own: ['parent.example'], exceptions: [] });
  expect(words('www.new-bank.example online.parent.example').map((host) => kindOf(host, sites))).toEqual(['bank', 'bank']);
  expect(words('chase.com shop.com someone.github.io www.parent.example').filter((host) => kindOf(host, sites))).toEqual([]);
  expect(words('new-bank.example village.example').map((site) => mayRest(site, other))).toEqual([true, true]);
  expect(words('parent.example google.com github.io').map((site) => mayRest(site, other))).toEqual([false, false, false]);
  expect([mayRest('parent.example', listed), mayRest('navyfederal.org', other)]).toEqual([true, true]);
});

describe('an exception', () => {
  const sites = compileMoneySites({
    listed,
    own: ['own.example', 'secure.half-open.example'],
    exceptions: ['www.chase.com', 'rewards.citi.com', 'own.example', 'half-open.example', 'github.io'],
  });

  test.each([
    ['chase.com', null],
    ['secure.chase.com', null],
    ['rewards.citi.com', null],
    ['deep.rewards.citi.com', null],
    ['citi.com', 'bank'],
    ['online.citi.com', 'bank'],
    ['own.example', null],
    ['login.own.example', null],
    ['secure.half-open.example', null],
    ['wellsfargo.com', 'bank'],
  ])('leaves %s with the kind %s', (host, kind) => {
    expect(kindOf(host, sites)).toBe(kind);
  });

  test('for a shared host does not open its customers', () => {
    const shared = compile(['our-bank.github.io'], ['github.io']);
    expect(kindOf('our-bank.github.io', shared)).toBe('bank');
  });

  test('that is no website changes nothing', () => {
    expect(kindOf('chase.com', compile([], ['', 'not a site', 'com']))).toBe('bank');
  });
});

describe('the work of a lookup', () => {
  afterEach(() => vi.restoreAllMocks());

  function lookups(host: string, sites = shipped): number {
    const counts = [vi.spyOn(Map.prototype, 'get'), vi.spyOn(Set.prototype, 'has')];
    sites.kindOf(host);
    const total = counts.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    vi.restoreAllMocks();
    return total;
  }

  test('is one lookup for each label of a host that is no money site, with and without exceptions', () => {
    const excepting = compile([], ['chase.com']);
    for (const sites of [shipped, excepting]) {
      expect(lookups('a.b.c.example.com', sites)).toBe(5);
      expect(lookups(`${'a.'.repeat(126)}b`, sites)).toBe(127);
    }
  });

  test('ends at the name of the money site', () => {
    expect(lookups('chase.com')).toBe(1);
    expect(lookups('a.b.chase.com')).toBe(3);
  });
});

/** Money sites among the most visited hosts. Each was reviewed: no system, browser, mail, health or public service depends on it. */
const visitedMoneySites = words(`
  53.com acorns.com additionfi.com alipay.com ally.com americanexpress.com axisbank.com bancosantander.es bankofamerica.com
  barclays.co.uk bbt.com binance.com binance.us bitflyer.com bitget.com bithumb.com bitstamp.net blackhawknetwork.com bmo.com
  capitalone.com changelly.com chase.com chime.com cibc.com citi.com citibank.com citibankonline.com citicards.com citizensbank.com
  coinbase.com commbank.com.au creditonebank.com crypto.com discover.com discovercard.com empower-retirement.com etrade.com
  fidelity.com gate.io gcash.com groww.in hdfc.bank.in hdfcbank.com hsbc.co.uk huntington.com icici.bank.in icicibank.com
  interactivebrokers.com jpmorgan.com key.com kraken.com kucoin.com lloydsbank.co.uk marcus.com ml.com morganstanley.com nab.com.au
  navyfederal.org okx.com paypal.com paytm.com phonepe.com pnb.bank.in pnc.com poloniex.com principal.com rbc.com rbcroyalbank.com
  regions.com revolut.com robinhood.com santanderbank.com schwab.com scotiabank.com sofi.com synchrony.com td.com tiaa.org
  truist.com ubs.com upgrade.com usaa.com usbank.com vanguard.com venmo.com wellsfargo.com wf.com wise.com xe.com`);

test.skipIf(!sharedDataIsThere)('of the most visited hosts only these are money sites (skipped when the list of hosts is missing)', () => {
  expect(
    benignDomains()
      .filter((host) => shipped.kindOf(host) !== null)
      .sort(),
  ).toEqual(visitedMoneySites);
});
