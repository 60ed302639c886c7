import { hour, type Moment, withoutZone } from '../../clock.ts'
import type { World } from '../../world.ts'

export type Site = ReturnType<typeof siteOf>

/** What makes one site differ from another. */
export function siteOf({ origin, settings: { variant } }: World) {
  let drawn = 0
  const { tracking = 'fulfillments', age = 'new', path = '' } = variant
  return {
    /** How it keeps parcels: itself, with the plug-in Shipment Tracking, or not at all. */
    tracking,
    /** Before 5.8 a site `refuses` to sort by the last change, or `ignores` its time. */
    age,
    /** Where it is below its host. */
    path,
    url: `${origin}${path}`,
    /** Whether its permalinks are plain: then its interface has no paths. */
    plain: variant['permalinks'] === 'plain',
    /** Whether keys may write. */
    readOnly: variant['keys'] === 'read',
    /** Whether messages about a variation bring that instead of its product. */
    variationsApart: variant['variations'] === 'apart',
    /** As real sites do it, a failed message is never sent again. */
    sendsOnce: variant['deliveries'] === 'once',
    /** Which other products a product is shown with: drawn anew each time on real sites. */
    draw: () => (variant['related'] === 'shuffled' ? ++drawn : 0),
  }
}

/** The site's clock is two hours ahead of Greenwich: times come in both, and neither names its zone. */
export const zone = 2 * hour

export const dates = (name: string, at: Moment | null): Readonly<Record<string, string | null>> => ({
  [name]: at === null ? null : withoutZone(at + zone),
  [`${name}_gmt`]: at === null ? null : withoutZone(at),
})
