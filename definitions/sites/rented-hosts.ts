/**
 * Hosts that give out subdomains to anyone, but are missing from the Public Suffix List: site builders, shops, help desks, free hosting,
 * dynamic DNS, storage.
 */
const services = `
  weebly.com wordpress.com tumblr.com substack.com medium.com livejournal.com typepad.com over-blog.com eklablog.com neocities.org
  godaddysites.com jimdosite.com jimdofree.com webnode.com webnode.page ucoz.net ucoz.ru mystrikingly.com myfreesites.net page.tl
  site123.me simdif.com squarespace.com tilda.ws ueniweb.com business.site canva.site softr.app glitch.me page.link ghost.io
  beehiiv.com mailchimpsites.com hubspotpagebuilder.com hs-sites.com hs-sites-eu1.com unbouncepages.com clickfunnels.com systeme.io
  kajabi.com mykajabi.com podia.com thinkific.com teachable.com bigcartel.com ecwid.com storenvy.com itch.io bandcamp.com
  deviantart.com wpengine.com wpcomstaging.com kinsta.cloud
  zendesk.com freshdesk.com typeform.com sharepoint.com salesforce-sites.com my.site.com atlassian.net
  000webhostapp.com infinityfreeapp.com epizy.com rf.gd kesug.com byethost.com freehostia.com awardspace.com webcindario.com tripod.com
  angelfire.com swtest.ru nichost.ru cfolks.pl mycpanel.rs
  mooo.com oicp.net f3322.net kro.kr n-e.kr r-e.kr quickconnect.to
  backblazeb2.com wasabisys.com b-cdn.net cloudapp.azure.com myhuaweicloud.com aliyuncs.com myqcloud.com ipfs.io fleek.co`;

export const rentedHosts: ReadonlySet<string> = new Set(services.trim().split(/\s+/));
