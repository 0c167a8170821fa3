import type { NameTables } from './format.ts';

const split = (text: string) => text.trim().split(/\s+/);

/** What a trick asks people to do, or promises, in the languages of the brands. */
const actions = `
  2fa accedi acceso accesso account accounts acct acessar acesso activacion activar activate activation actualisation actualizacion aggiorna
  aggiornamento airdrop airdrops aktualisieren aktualisierung aktywacja alert alerts anmelden anmeldung appeal appeals ativar atualizacao
  atualizar auth authenticate authentication authorise authorization authorize auths banking bestaetigen bestaetigung bestatigung
  beveiliging billing bonus buscar cadastro captcha claim claims cliente clientes com compensation compte conferma confirm confirmar
  confirmation confirmed connexion copyright cuenta customercare customerservice dapp dapps desbloqueio ebanking entsperren espaceclient
  findmy fmi freischalten giveaway gov helpcenter helpcentre helpdesk helpline identity impaye ingresar ingreso iniciar iniciarsesion inlog
  inloggen invoice konto kundenkonto kundenservice kyc liberar limited localiser localizacion localizar locate locked logen loggin logiin
  login logine loginn loginpage logn logon logowanie majoration migrate migration mise moderator moderators netbanking nitro onlinebanking
  otp overdue passcode password passwordreset payee penalty phototan phrase potwierdzenie pushtan rastrear rastreo reactivate reactivation
  rebate reclaim recover recovery rectify redeliver redelivery refund refunds register rembours remboursement renewal renouvellement
  reschedule reset resgatar resgate resolution resolve restore restricted secure secured securite seed seguranca seguridad seguro sesion
  sicher sicherheit sicurezza signin signon signup soporte support supports suspended suspension sync synchronize techsupport ubicacion
  unlock unlocked unpaid update updates updating validate validation validator verif verifica verificacion verificar verification verified
  verifier verifieren verifizieren verifizierung verify verifying violation violations wallet walletconnect weryfikacja www zaloguj`;

/** What a trick is about, and honest sites are about too. */
const topics = `
  academy access address ads aduana afgift agency agent ajuda allocation amende amendes antivirus apply arrival assistenza assure
  atendimento badge balance banca bank beneficio benefit benefits beta betaalverzoek betalen betaling bezorging bill bills blue bnb boleto
  bridge btc business call cancel card cards care career cartao case cases cash center centre chain charge charges chat check checker
  citation clearance client clientele clients coin coins colis collab collect community connect consegna conta contact conto coupon courier
  credit creditcard crypto cuentas customer customers customs dashboard deal deals debit defi deliver deliveries delivering delivery
  department depot dept desk desktop discount doc document documents dostawa download downloads drive drop drops due earn email encomenda
  entrega envio envios error espace eth event events exam exchange express extension facture faktura fatture fatura fax fee fees file files
  findmyphone fine fines form forms free freegift freenitro fund funds game games gift giftcard giftcards gifts give giving grant grants
  help hold home hotline hr id inbox index information informationcenter infos invest investing investment investments invitation invite
  inviter invoices ipad iphone job jobs join klant klanten kunde kunden kundencenter label launch launcher layer leverans levering lieferung
  live livraison loan loans location lost mail mailbox mainnet manage manager map maps member members membership message messages meta
  mining mint missed mobile money multichain my nft nitros node nodes notice notices notification notifications notify number odbierz odbior
  oferta offer offers office official officials online oplata order orders outlet outlets pacchi pacco package packages paczka pagamento
  page pages pago pagos paid paiement paket pakete pakket pakketje paquete parcel parcels parking parkings party pascher pass pay paying
  payment payments pays pending pension personal phone pickup pix pkg platnosc platnosci play pool portal post postal premium presale prime
  prize pro profile profiles profit program promo promotion protect protection protocol purchase rastreio rebates receipt rechnung relief
  remote renew repair request return returns review reward rewards rpc safe safety sale sales sante scan security seguimiento
  sellerdashboard sendung sendungen server servers service services settle share shared ship shipment shipments shipping signature skatt
  skins soldes spedizione stake staking start stimulus subscribe subscription subscriptions subsidy suite suivi suporte supporto survey swap
  tarjeta tarjetas task tax taxes team teams tech technical test ticket tickets token tokens toll tollbill tolling tolls tollway track
  tracker tracking trackmyparcel trackpackage trade tradeoffer trading transfer transfers trial trx updater usdt user users uslugi versand
  view vignette vip virus voicemail voucher vouchers web web3 webmail welcome win winner work zahlung zaplata zoll sign zustellung`;

/** Words between the others. */
const fillers = `
  24h america american an and app apps at au australia auto by ca canada ch cloud co company corp cs ct de deutschland digital direct
  district easy en es espana eu europe fast federal fl fr france ga germany get global go group ie il in inc info int international intl io
  is it italia link links llc local ltd ma main md me mx mytoll national nc net new next nj nl no now ny nz of on one org our pa pl plus pt
  public quick sc se sec secu site sites srv state step svc system systems the to today top tv tx uk url us usa va wa world you your`;

/** A site with one of these beside a brand is about the brand. */
const about = `
  adblock adblocker alternative alternatives alumni api arena assets backend blocker blog blogs bot bots campanhas careers cdn
  charity class clone clones clonev club collection collector concorsi converter cookbook corp corporate course courses cruises daily data
  dataset demo demos design designs dev developer developers dl docs down downloader employees example fan fanclub fans for forum forums
  foundation foundations frontend generator global golf group guide guides hackathon heritage history holdings imoveis insiders
  investor investors isitdown js junkie law lawsuit lawsuits lawyer lawyers learn legal magazine marketing media mod mods monitor museum
  news nocookie outage park parser partners party planet planets plugin plugins portfolio practice pressroom project projects py react
  recipes recruitment recrute replica research retirees reviews sample samples saude scraper sdk seguros settlement stadium static stats
  status surveys tests theatre theme themes tips todo training tutorial tutorials ui union unlocked unlocker unofficial vacations
  ventures versus video viewer vpn vs watch weekly whatson wiki without workers`;

/** Beside a brand in a rented name: somebody learns to make sites, or likes the brand. */
const exercises = `
  angular assignment blog clone course demo example exercise fanclub fanpage frontend fullstack hackathon homework learning portfolio
  practice project react study template theme tutorial vuejs website`;

/** They cost a dollar or nothing, and public lists of scams have many of them. */
const endings = `
  accountant agency amsterdam art autos baby bar beauty best bid bike bio black blue boats bond builders buzz bz cam capital care cash cc
  center cf cfd charity cheap christmas claims click cloud club cm company cool credit cricket cyou dad date delivery digital directory
  doctor download events exchange expert express fail faith finance financial fit foundation frl fun fund fyi ga gallery gay gdn gift gifts
  gq group gs guru hair help homes host icu ink kim la lat life limo link live llc loan loans locker lol ltd makeup market marketing markets
  mba men ml mn mobi mom money monster motorcycles mov nagoya network news okinawa one online ooo party pics pink pizza plus press pro
  property pw qpon quest racing red ren rent rentals repair rest review rip rocks run sale sbs services shop site ski skin solutions space
  st store stream su support surf systems tax team tech tel tk to today tokyo top trade trading tube uno vc vin vip wang watch website wiki
  win work works world ws wtf xyz yachts zip zone`;

/** Companies get their own names below these: help desks, content networks, clouds. */
const tenants = `
  a-msedge.net akadns.net akamaihd.net akamaized.net alikunlun.com aliyuncs.com amazonaws.com api.net atlassian.net ax-dc-msedge.net
  ax-msedge.net azure- azure.com azureedge.net azurefd.net azurestaticapps.net azurewebsites.net b-cdn.net b-msedge.net bamboohr.com
  bandcamp.com blogspot.com bytedns1.com bytefcdn-oversea.com bytefcdn-ttpus.com c-msedge.net cdn-wal.net cdn.cloudflare.net cdn20.com
  cdngslb.com chinacache.net cloudapp.azure.com cloudapp.net cloudfront.net cloudfunctions.net dc-msedge.net dual-s-msedge.net e-msedge.net
  edgecastcdn.net edgekey.net edgesuite.net ezviz7.com fastly-edge.com fastly.net fastlylb.net footprint.net force.com freshdesk.com
  github.io githubusercontent.com googleapis.com gwfb.net hs-sites-eu1.com hs-sites.com hubspotpagebuilder.com impervadns.net incapdns.net
  itch.io k-msedge.net kinsta.cloud kunlunsl.com l-msedge.net livejournal.com lldns.net llnwd.net mailchimpsites.com map.fastly.net
  medium.com msedge.net my.site.com myqcloud.com okta.com omtrdc.net permutive.com qlivecdn.com queniuck.com quickconnect.to rocket-cdn.com
  s-msedge.net salesforce-sites.com sharepoint.com spo-msedge.net spov-msedge.net substack.com supertms.com t-msedge.net trafficmanager.net
  translate.goog ttdns2.com tumblr.com typeform.com usgovtrafficmanager.net v0cdn.net wasabisys.com windows.net wordpress.com
  wpcomstaging.com wpengine.com wscdns.com wsdvs.com zendesk.com`;

/** One letter away from a brand, words that contain one, and names of money sites that are ordinary words. */
const innocent = `
  1cloud aidas airbank airbus altruist amazons applecart applesauce appleton applewood applied arbitrium banked banki bankit barclay bitcoin
  bitcoins blockchain bookingcompany capital capitalgroup carnalplus celestica chanel citicbank cities citizen citizens citybank codirect
  combank communitybank coreos correas correios correo correos cpanet creditunion cryptocommerce cryptocommunity cryptocompare currencyfair
  direct directs discard dischord discoed discoid discorde discords discover dispost dropbot enpass etrezor europop ezdriver facebooks
  fastrac fastrack fasttrak fidelity firstbank firstnational forexcom freedom freer frontier frost galena gamestar gametop gamstop giftcard
  giftcards goggle goldmoney goldsilver googled googles googly heritage heroesworld ilpost imports impost imposts impot independent indirect
  inmost inputs interaction interactive lacoste marriot mebank mediamart mioffice moneycorp moneymetals mtsbank multiverse mybank mygovid
  nationalbank nattest netflux nypost openair openal opencart openid opensafely openseamap opensearch opensecrets outcook outlooks outtook
  palpal papal payday peoples perfectgift pineapple postal postil principal privacy purchase quickbook quirkbook quirkbooks radium rauten
  rayman recharge reduit reedit regions republic revolt revolute revolution revolutionary revolutionize revolutionized revolutions security
  sharemoney shope shoppe signpost solan soland solano solans starnet strike suningbank surpass tbank telecom telegra telegraf telegramm
  telegrams telkom telstar tickettoaster titch titter tremor tresor trist truest truism trust twinter twister twitchy twitted twitten
  twitters twittery ubank unitedbank unwork usabank vanguard vented vined windowsreport wmtransfer yandere`;

/** Sites of others, which name a brand for a reason. */
const honest = `
  1cloud.ru adblock-for-youtube.com airservicesaustralia.com almacenesmarriott.com ampproject.org apps-support-samsung.com cryptocompare.com
  datingdirect.com dmv.org fortnitetracker.com googll.store my-imcloud.com netflixparty.com nevkontakte.com openseasonsportsmansexpo.com
  registerdisney.go.com returnyoutubedislike.com returnyoutubedislikeapi.com runescape.wiki samsung-sm-ds.com secure-booking-engine.com
  secure-direct-hotel-booking.com secure-hotel-booking.com secureprivacy.ai steamdb.info steamgifts.com steamtools.com steamunlocked.net
  tawitter.com translate.goog unlimited-elements.com westernuniongold.com`;

/** Chosen by hand from public reports of scams; each is a fact about language, not a copy of a list. */
export const nameWords: Omit<NameTables, 'brands' | 'skeletons'> = {
  actions: split(actions),
  topics: split(topics),
  fillers: split(fillers),
  about: split(about),
  exercises: split(exercises),
  endings: split(endings),
  tenants: split(tenants),
  innocent: split(innocent),
  honest: split(honest),
};
