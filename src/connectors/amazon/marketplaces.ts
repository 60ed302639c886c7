/** Where Amazon sells, and which of its three interfaces a marketplace belongs to. */
export interface Marketplace {
  id: string
  region: 'na' | 'eu' | 'fe'
  /** Where sellers manage it. */
  sellerCentral: string
  /** Where buyers see it. */
  site: string
  currency: string
}

const of = (
  region: Marketplace['region'],
  id: string,
  [site, currency]: readonly [site: string, currency: string],
  sellerCentral = `sellercentral.${site}`,
): Marketplace => ({ id, region, sellerCentral, site: `www.${site}`, currency })

/** The older ones of Europe are managed in one place. */
const europe = 'sellercentral-europe.amazon.com'

export const marketplaces = {
  US: of('na', 'ATVPDKIKX0DER', ['amazon.com', 'USD']),
  CA: of('na', 'A2EUQ1WTGCTBG2', ['amazon.ca', 'CAD']),
  MX: of('na', 'A1AM78C64UM0Y8', ['amazon.com.mx', 'MXN']),
  BR: of('na', 'A2Q3Y263D00KWC', ['amazon.com.br', 'BRL']),
  UK: of('eu', 'A1F83G8C2ARO7P', ['amazon.co.uk', 'GBP'], europe),
  DE: of('eu', 'A1PA6795UKMFR9', ['amazon.de', 'EUR'], europe),
  FR: of('eu', 'A13V1IB3VIYZZH', ['amazon.fr', 'EUR'], europe),
  IT: of('eu', 'APJ6JRA9NG5V4', ['amazon.it', 'EUR'], europe),
  ES: of('eu', 'A1RKKUPIHCS9HS', ['amazon.es', 'EUR'], europe),
  NL: of('eu', 'A1805IZSGTT6HS', ['amazon.nl', 'EUR']),
  BE: of('eu', 'AMEN7PMS3EDWL', ['amazon.com.be', 'EUR']),
  IE: of('eu', 'A28R8C7NBKEWEA', ['amazon.ie', 'EUR']),
  SE: of('eu', 'A2NODRKZP88ZB9', ['amazon.se', 'SEK']),
  PL: of('eu', 'A1C3SOZRARQ6R3', ['amazon.pl', 'PLN']),
  TR: of('eu', 'A33AVAJ2PDY3EV', ['amazon.com.tr', 'TRY']),
  AE: of('eu', 'A2VIGQ35RCS4UG', ['amazon.ae', 'AED']),
  SA: of('eu', 'A17E79C6D8DWNP', ['amazon.sa', 'SAR']),
  EG: of('eu', 'ARBP9OOSHTCHU', ['amazon.eg', 'EGP']),
  ZA: of('eu', 'AE08WJ6YKNBMC', ['amazon.co.za', 'ZAR']),
  IN: of('eu', 'A21TJRUUN4KGV', ['amazon.in', 'INR']),
  JP: of('fe', 'A1VC38T7YXB528', ['amazon.co.jp', 'JPY']),
  AU: of('fe', 'A39IBJ37TRP1C6', ['amazon.com.au', 'AUD']),
  SG: of('fe', 'A19VAU5U5O7RUS', ['amazon.sg', 'SGD']),
} as const satisfies Readonly<Record<string, Marketplace>>

type MarketplaceCode = keyof typeof marketplaces

export const marketplaceCodes = Object.keys(marketplaces) as readonly MarketplaceCode[]

/** By the name that reports have for it: `Amazon.de`. */
export const marketplaceBySite = (name: string): Marketplace | undefined =>
  Object.values(marketplaces).find(({ site }) => site === `www.${name.toLowerCase()}`)

const byId: ReadonlyMap<string, Marketplace> = new Map(Object.values(marketplaces).map((one) => [one.id, one]))

export const marketplaceById = (id: string | null): Marketplace | undefined => (id === null ? undefined : byId.get(id))
