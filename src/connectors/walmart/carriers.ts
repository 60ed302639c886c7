import { refused } from '../../commerce/remote.ts'
import type { ShipmentDraft } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import type { WalmartFacts } from './settings.ts'

/** Those that Walmart follows parcels of, as it writes them. */
const carriers = [
  ...['UPS', 'USPS', 'FedEx', 'Airborne', 'OnTrac', 'DHL Ecommerce - US', 'DHL', 'LS', 'UDS', 'UPSMI', 'FDX', 'PILOT'],
  ...['ESTES', 'SAIA', 'FDS Express', 'Seko Worldwide', 'HIT Delivery', 'FEDEXSP', 'RL Carriers', 'China Post'],
  ...[
    'YunExpress',
    'AIT Worldwide Logistics',
    'Chukou1',
    'Sendle',
    'Landmark Global',
    'Sunyou',
    'Yanwen',
    '4PX',
    'GLS',
  ],
  ...['OSM Worldwide', 'FIRST MILE', 'AM Trucking', 'CEVA', 'India Post', 'SF Express', 'CNE', 'TForce Freight'],
  ...['AxleHire', 'LSO', 'Royal Mail', 'ABF Freight System', 'WanB', 'Roadrunner Freight', 'AAA Cooper', 'Canada Post'],
  ...['Japan Post', 'Correos de Mexico', 'XPO Logistics', 'JD Logistics', 'YDH', 'JCEX', 'Flyt', 'Deutsche Post'],
]

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const byName: ReadonlyMap<string, string> = new Map([
  ...carriers.map((name) => [plain(name), name] as const),
  ['lasership', 'LS'],
  ['dhlecommerce', 'DHL Ecommerce - US'],
  ['upsmailinnovations', 'UPSMI'],
  ['fedexsmartpost', 'FEDEXSP'],
])

interface Carrier {
  carrierName: { carrier: string } | { otherCarrier: string }
  trackingURL?: string
}

/** Others than these are taken with an address where the parcel is followed, and not without. */
export function carrierOf(
  { carrier, tracking_url: url, tracking_number: number }: ShipmentDraft,
  { settings: { tracking_url: template } }: WalmartFacts,
): Carrier {
  const known = byName.get(plain(carrier))
  if (known) return { carrierName: { carrier: known }, ...(url ? { trackingURL: url } : {}) }
  const address = url ?? template?.replace('{number}', encodeURIComponent(number))
  if (!address) {
    throw refused(say('carrier_needs_link', { platform: 'Walmart', carrier }))
  }
  return { carrierName: { otherCarrier: carrier }, trackingURL: address }
}
