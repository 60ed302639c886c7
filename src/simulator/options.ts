export const dialects = ['shopify', 'woo', 'market'] as const
export type DialectName = (typeof dialects)[number]

export const weatherNames = ['calm', 'rough'] as const
export type WeatherName = (typeof weatherNames)[number]

export interface SimulatorOptions {
  dialect?: DialectName
  /** 0 is any free port. */
  port?: number
  /** How many orders the shop starts with, up to a million. */
  orders?: number
  products?: number
  weather?: WeatherName
  /** Shops with the same seed are the same shop. */
  seed?: string
  /** How long access tokens live, where the dialect has any. */
  tokenSeconds?: number
}

export interface Settings extends Required<SimulatorOptions> {
  /** A host name, as a merchant would type it. */
  shop: string
}

const tokenLives: Readonly<Record<DialectName, number>> = { shopify: 3600, woo: 0, market: 900 }
const domains: Readonly<Record<DialectName, string>> = {
  shopify: 'myshopify.example',
  woo: 'woo.example',
  market: 'market.example',
}

export function settle(options: SimulatorOptions): Settings {
  const { dialect = 'shopify', port = 0, orders = 250, products = 200, weather = 'calm', seed = '1' } = options
  const name =
    seed
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'x'
  return {
    dialect,
    port,
    orders: Math.max(0, Math.min(1_000_000, orders)),
    products: Math.max(1, Math.min(20_000, products)),
    weather,
    seed,
    tokenSeconds: options.tokenSeconds ?? tokenLives[dialect],
    shop: `harbour-${name}.${domains[dialect]}`,
  }
}
