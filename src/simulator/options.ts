import type { Moment } from './clock.ts'
import type { Story } from './shop/story.ts'

export const weatherNames = ['calm', 'rough'] as const
export type WeatherName = (typeof weatherNames)[number]

export interface SimulatorOptions {
  /** The platform that the shop is on, by the type of its connector; `sandbox` by default. */
  platform?: string
  /** 0 is any free port. */
  port?: number
  /** How many orders the shop starts with, up to a million. */
  orders?: number
  products?: number
  weather?: WeatherName
  /** Shops with the same seed are the same shop. */
  seed?: string
  /** How long access tokens live, where the platform has any. */
  tokenSeconds?: number
  /** How this shop differs from the usual one of its platform: plug-ins, age, ways to sign. Names are the platform's. */
  variant?: Readonly<Record<string, string>>
  /** Its name, where it is not to follow from the seed. */
  shop?: string
  /** A shop of a certain kind with a month behind it; else one year of trade in everything, long over. */
  story?: Story
  /** When the history without a story ends, a month after it began; the beginning of 2026 after a year of it, by default. */
  historyEnds?: Moment
}

/** `shop` is a host name, as a merchant would type it. */
export type Settings = Required<Omit<SimulatorOptions, 'port' | 'weather' | 'story' | 'historyEnds'>> & {
  story: Story | null
  historyEnds: Moment | null
}

/** What is said of a platform before any shop of it opens. */
export interface PlatformFacts {
  /** The domain that its shops are below. */
  domain: string
  /** How long its access tokens live, in seconds; 0 where it has none that end. */
  tokenSeconds: number
  /** The one currency of its books; null where every order has its own. */
  currency: string | null
  /** Whether no product has more than one variant. */
  simple?: boolean
}

export function settle(options: SimulatorOptions, platform: string, { domain, tokenSeconds }: PlatformFacts): Settings {
  const { orders = 250, products = 200, seed = '1', variant = {} } = options
  const name = (seed.toLowerCase().match(/[a-z0-9]+/g) ?? ['x']).join('-')
  return {
    platform,
    orders: Math.max(0, Math.min(1_000_000, orders)),
    products: Math.max(1, Math.min(20_000, products)),
    seed,
    tokenSeconds: options.tokenSeconds ?? tokenSeconds,
    variant,
    story: options.story ?? null,
    historyEnds: options.historyEnds ?? null,
    shop: options.shop ?? `harbour-${name}.${domain}`,
  }
}
