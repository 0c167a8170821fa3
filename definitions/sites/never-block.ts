import type { MoneyList } from '../money/format.ts';
import { withParentDomains } from './parent-domains.ts';

/**
 * Updates, mail, banking, maps, schools, public services or half of all pages depend on these hosts. Their subdomains may be blocked.
 * Chosen from what these companies publish; operators add their own when importing (`--keep`).
 */
const services = `
  google.com gstatic.com googleapis.com googleusercontent.com google withgoogle.com youtube.com ytimg.com googlevideo.com gmail.com
  goo.gl g.co youtu.be android.com gvt1.com gvt2.com ggpht.com recaptcha.net googletagmanager.com google-analytics.com doubleclick.net
  sites.google.com docs.google.com drive.google.com forms.gle play.google.com mail.google.com storage.googleapis.com
  firebase.google.com firebaseio.com
  microsoft.com windows.com windowsupdate.com office.com office.net office365.com outlook.com live.com live.net hotmail.com msn.com
  bing.com skype.com microsoftonline.com sharepoint.com onedrive.com 1drv.ms azure.com azure.net windows.net azureedge.net azurefd.net
  msftconnecttest.com msftncsi.com msauth.net msftauth.net visualstudio.com cloud.microsoft aka.ms xbox.com linkedin.com licdn.com
  login.live.com login.microsoftonline.com forms.office.com
  apple.com icloud.com me.com mac.com mzstatic.com cdn-apple.com aaplimg.com apple-dns.net apps.apple.com itunes.apple.com
  amazon.com amazon.co.uk amazon.de amazonaws.com amazonaws.com.cn cloudfront.net awsstatic.com media-amazon.com amazontrust.com a2z.com
  awsglobalaccelerator.com on.aws sagemaker.aws amazoncognito.com awsdns.com rds.amazonaws.com compute.amazonaws.com
  facebook.com fb.com fb.me fbcdn.net fbsbx.com facebook.net instagram.com cdninstagram.com whatsapp.com whatsapp.net wa.me messenger.com
  twitter.com x.com t.co twimg.com tiktok.com snapchat.com pinterest.com reddit.com redd.it discord.com discordapp.com discord.gg
  telegram.org t.me telegra.ph signal.org zoom.us slack.com webex.com cisco.com
  netflix.com spotify.com hulu.com disneyplus.com roku.com twitch.tv vimeo.com steampowered.com steamcommunity.com counter-strike.net
  cloudflare.com cloudflare.net cloudflareinsights.com one.one.one.one fastly.net fastly.com akamai.net akamaized.net akamaiedge.net
  akadns.net edgekey.net edgesuite.net jsdelivr.net unpkg.com cdnjs.com bootstrapcdn.com fontawesome.com typekit.net
  digicert.com letsencrypt.org lencr.org sectigo.com globalsign.com pki.goog identrust.com verisign.com
  ntp.org nist.gov root-servers.net opendns.com quad9.net dns.google
  github.com githubusercontent.com githubassets.com gitlab.com bitbucket.org sourceforge.net npmjs.com npmjs.org pypi.org
  stackoverflow.com docker.com docker.io archive.org wikipedia.org wikimedia.org mozilla.org mozilla.net firefox.com opera.com brave.com
  adobe.com adobe.io adobedtm.com dropbox.com dropboxusercontent.com box.com wetransfer.com mega.nz
  wordpress.com wordpress.org wp.com wix.com wixsite.com weebly.com squarespace.com shopify.com myshopify.com cdn.shopify.com
  godaddy.com bluehost.com hostinger.com ovh.net ovh.com ionos.com digitalocean.com digitaloceanspaces.com linode.com hetzner.com
  linodeusercontent.com scw.cloud alwaysdata.net render.com railway.app salesforce.com force.com typeform.com jotform.com
  zendesk.com freshdesk.com intercom.io hubspot.com mailchimp.com list-manage.com sendgrid.net constantcontact.com
  canva.com canva.site notion.so medium.com tumblr.com blogger.com substack.com eventbrite.com surveymonkey.com docusign.com docusign.net
  bit.ly tinyurl.com is.gd ow.ly cutt.ly rebrand.ly buff.ly tiny.cc shorturl.at lnkd.in
  paypal.com paypalobjects.com stripe.com squareup.com venmo.com wise.com revolut.com visa.com mastercard.com americanexpress.com
  chase.com bankofamerica.com wellsfargo.com citi.com citibank.com capitalone.com usbank.com pnc.com schwab.com fidelity.com vanguard.com
  barclays.co.uk hsbc.co.uk hsbc.com lloydsbank.com lloydsbank.co.uk natwest.com santander.co.uk nationwide.co.uk
  ebay.com walmart.com target.com costco.com bestbuy.com homedepot.com etsy.com aliexpress.com alibaba.com booking.com airbnb.com
  expedia.com tripadvisor.com uber.com yelp.com craigslist.org
  usps.com ups.com fedex.com dhl.com royalmail.com
  yahoo.com aol.com proton.me protonmail.com gmx.com gmx.net mail.com comcast.net xfinity.com att.com verizon.com t-mobile.com
  duckduckgo.com baidu.com qq.com yandex.ru yandex.com mail.ru naver.com
  norton.com mcafee.com malwarebytes.com avast.com avg.com bitdefender.com kaspersky.com eset.com sophos.com symantec.com
  hp.com dell.com lenovo.com intel.com nvidia.com amd.com samsung.com lg.com sony.com epson.com canon.com brother.com
  irs.gov ssa.gov medicare.gov usa.gov ftc.gov ic3.gov va.gov login.gov gov.uk www.gov.uk nhs.uk www.nhs.uk canada.ca europa.eu
  bbc.co.uk bbc.com cnn.com nytimes.com washingtonpost.com theguardian.com reuters.com apnews.com foxnews.com
  aarp.org webmd.com mayoclinic.org`;

/** Names that no list and no definition may block. */
export type NeverBlock = ReadonlySet<string>;

/**
 * The services above with the money sites of a set: some public lists contain a bank. Those rest while somebody is at work on a computer
 * (P12.6), and are never called a scam. Includes parent domains, since blocking a name blocks its subdomains.
 */
export const neverBlockWith = (money: MoneyList): NeverBlock =>
  new Set([...services.trim().split(/\s+/), ...money.flatMap(({ domains }) => domains)].flatMap(withParentDomains));
