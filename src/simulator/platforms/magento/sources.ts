import { locations } from '../../shop/goods.ts'

/** What the shop calls its locations. */
const sources: readonly unknown[] = ['default', 'shop_floor', 'outlet']

export const sourceOf = (location: number): string => String(sources[location])
export const locationOf = (source: unknown): number => sources.indexOf(source)

export const sourceViews = locations.map((name, n) => ({
  ...{ source_code: sourceOf(n), name, enabled: true, country_id: 'DE', postcode: '20457' },
}))
