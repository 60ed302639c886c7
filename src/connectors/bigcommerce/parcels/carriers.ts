import type { Fields } from '../../../commerce/reading.ts'

/** Carriers that the platform knows by itself. */
const providers = ['auspost', 'canadapost', 'endicia', 'fedex', 'royalmail', 'ups', 'usps'] as const

/**
 * Carriers that it follows through AfterShip, by AfterShip's names for them; with what people call them besides. Where
 * one name stands for carriers of several countries, the one is meant that sends parcels all over.
 */
const followed: Readonly<Record<string, readonly string[]>> = {
  '4px': [],
  'an-post': ['anpost'],
  aramex: [],
  'asendia-usa': ['asendia'],
  'australia-post': [],
  'austrian-post': ['post at', 'oesterreichische post', 'osterreichische post'],
  bluedart: ['blue dart'],
  bpost: ['bpost belgium'],
  'brt-it': ['brt', 'bartolini'],
  'canada-post': [],
  canpar: ['canpar express'],
  'ceska-posta': ['czech post'],
  'china-ems': ['ems china'],
  'china-post': ['epacket'],
  'chronopost-france': ['chronopost'],
  'colis-prive': [],
  colissimo: [],
  correosexpress: ['correos express'],
  'couriers-please': [],
  dachser: [],
  'danmark-post': ['post danmark'],
  delhivery: [],
  'deutsch-post': ['deutsche post'],
  dhl: ['dhl express', 'dhl international'],
  'dhl-germany': ['dhl paket', 'dhl de', 'dhl parcel de'],
  'dhl-global-mail': ['dhl ecommerce', 'dhl e commerce'],
  'dhl-poland': ['dhl polska'],
  'dhlparcel-nl': ['dhl parcel nl', 'dhl parcel'],
  dpd: [],
  'dpd-de': ['dpd germany'],
  'dpd-ireland': [],
  'dpd-poland': ['dpd polska'],
  'dpd-uk': [],
  dsv: [],
  dtdc: [],
  'elta-courier': ['elta'],
  estafeta: [],
  exapaq: ['dpd france'],
  'fastway-au': ['fastway'],
  'fedex-uk': [],
  gls: [],
  'gls-italy': [],
  'gls-netherlands': ['gls nl'],
  'hermes-de': ['hermes', 'hermes germany'],
  'hong-kong-post': ['hongkong post'],
  'india-post': [],
  'israel-post': [],
  'italy-sda': ['sda'],
  'japan-post': [],
  'korea-post': [],
  'la-poste-colissimo': ['la poste', 'laposte'],
  lasership: [],
  'magyar-posta': [],
  'mrw-spain': ['mrw'],
  'myhermes-uk': ['evri', 'myhermes', 'hermes uk'],
  'nacex-spain': ['nacex'],
  'new-zealand-post': ['nz post'],
  'nova-poshta': [],
  ontrac: [],
  'parcel-force': ['parcelforce'],
  'poczta-polska': [],
  'portugal-ctt': ['ctt'],
  'poste-italiane': [],
  'posten-norge': ['posten', 'bring'],
  posti: [],
  postnl: [],
  'postnl-international': [],
  postnord: [],
  purolator: [],
  sagawa: [],
  'sf-express': [],
  'singapore-post': ['singpost'],
  'spain-correos-es': ['correos'],
  'spanish-seur': ['seur'],
  'star-track': ['startrack'],
  'sweden-posten': [],
  'swiss-post': ['die post', 'post ch'],
  'taqbin-jp': ['yamato'],
  tnt: ['tnt express'],
  'tnt-uk': [],
  'uk-mail': ['ukmail'],
  'ups-mi': ['ups mail innovations'],
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const codes = new Map(
  Object.entries(followed).flatMap(([code, names]) => [code, ...names].map((name) => [plain(name), code] as const)),
)

/** How a parcel says who carries it. Others than these are refused as such, but may be told as the way of sending. */
export function carrierOf(carrier: string): Fields {
  const name = plain(carrier)
  const provider = providers.find((one) => one === name) ?? byOtherName[name]
  if (provider) return { shipping_provider: provider, tracking_carrier: '' }
  const code = codes.get(name)
  if (code) return { shipping_provider: '', tracking_carrier: code }
  return { shipping_provider: '', tracking_carrier: '', shipping_method: carrier }
}

const byOtherName: Readonly<Record<string, (typeof providers)[number] | undefined>> = {
  ...{ australiapost: 'auspost', unitedparcelservice: 'ups', unitedstatespostalservice: 'usps' },
  ...{ federalexpress: 'fedex' },
}
