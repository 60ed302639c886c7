import { hour, type Moment, withoutZone } from '../../clock.ts'
import type { World } from '../../world.ts'

/** What makes one site differ from another. */
export interface Site {
  /** How it keeps parcels: itself, with the plug-in Shipment Tracking, or not at all. */
  tracking: string
  /** Before 5.8 a site `refuses` to sort by the last change, or `ignores` its time. */
  age: string
  /** Where it is below its host. */
  path: string
  url: string
  /** Whether its permalinks are plain: then its interface has no paths. */
  plain: boolean
  /** Whether keys may write. */
  readOnly: boolean
  /** Whether messages about a variation bring that instead of its product. */
  variationsApart: boolean
  /** As real sites do it, a failed message is never sent again. */
  sendsOnce: boolean
  /** Which other products a product is shown with: drawn anew each time on real sites. */
  draw(): number
}

export function siteOf({ origin, settings: { variant } }: World): Site {
  let drawn = 0
  const { tracking = 'fulfillments', age = 'new', path = '' } = variant
  return {
    ...{ tracking, age, path, url: `${origin}${path}` },
    plain: variant['permalinks'] === 'plain',
    readOnly: variant['keys'] === 'read',
    variationsApart: variant['variations'] === 'apart',
    sendsOnce: variant['deliveries'] === 'once',
    draw: () => (variant['related'] === 'shuffled' ? ++drawn : 0),
  }
}

/** The site's clock is two hours ahead of Greenwich: times come in both, and neither names its zone. */
export const zone = 2 * hour

export const dates = (name: string, at: Moment | null): Readonly<Record<string, string | null>> => ({
  [name]: at === null ? null : withoutZone(at + zone),
  [`${name}_gmt`]: at === null ? null : withoutZone(at),
})
