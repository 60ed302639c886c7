import type { Egress, EgressAnswer, EgressRequest } from '../runtime/egress/egress-request.ts'
import type { MemorySimulator } from '../simulator/open-shop.ts'
import type { SimulatorOptions } from '../simulator/options.ts'
import type { PlatformDefinition } from '../simulator/platform.ts'
import type { DemoShop } from './cast.ts'
import { type DemoPlace, demoPlace, demoShopAt, demoShopHost } from './demo-address.ts'

/**
 * The shops of demos, and the endpoint that listens to one: inside this process, behind addresses that lead nowhere. Asked
 * by the real connectors and the real sender, they answer as the platforms would.
 */
export interface DemoShops {
  /** The same way out, but for addresses of demos, which do not leave the machine. */
  around(egress: Egress): Egress
  open(shop: DemoShop, place: Pick<DemoPlace, 'code' | 'seed' | 'beganAt'>): Promise<MemorySimulator>
}

/** Loaded when they are asked for: a service without a demo never needs them, and one with a demo none but these. */
const platforms: Readonly<Record<string, () => Promise<PlatformDefinition>>> = {
  magento: async () => (await import('../simulator/platforms/magento/index.ts')).magento,
  medusa: async () => (await import('../simulator/platforms/medusa/index.ts')).medusa,
  prestashop: async () => (await import('../simulator/platforms/prestashop/index.ts')).prestashop,
  shopify: async () => (await import('../simulator/platforms/shopify/index.ts')).shopify,
  woocommerce: async () => (await import('../simulator/platforms/woocommerce/index.ts')).woocommerce,
}

/** Each is a few hundred kilobytes. */
const maxOpen = 40

/** `keysHold` leaves shops open whose keys are to be refused once the demo is there. */
export function createDemoShops({ keysHold = () => false }: { keysHold?: () => boolean } = {}): DemoShops {
  const shops = new Map<string, MemorySimulator>()

  async function open(shop: DemoShop, { code, seed, beganAt }: Pick<DemoPlace, 'code' | 'seed' | 'beganAt'>) {
    const host = demoShopHost(shop, code)
    const known = shops.get(host)
    if (known) return known
    const [{ inMemory, openShop }, definition] = await Promise.all([
      import('../simulator/open-shop.ts'),
      platforms[shop.platform]?.(),
    ])
    if (!definition) throw new Error(`There is no imitation of "${shop.platform}" in the demo.`)
    const options: SimulatorOptions = {
      ...{ platform: shop.platform, seed: `${shop.slug}-${seed}`, shop: host, orders: shop.orders },
      story: {
        ...{ openedAt: beganAt.getTime() * 1000, range: shop.range, countries: shop.countries },
        everySeconds: shop.everySeconds,
      },
    }
    const made = shops.get(host) ?? inMemory(openShop(shop.platform, definition, options))
    for (const oldest of shops.keys()) {
      if (shops.size < maxOpen) break
      shops.delete(oldest)
    }
    shops.set(host, made)
    return made
  }

  async function ask(place: DemoPlace, request: EgressRequest): Promise<EgressAnswer> {
    const shop = demoShopAt(place)
    if (!shop) return endpoint(place)
    const simulator = await open(shop, place)
    const { world } = simulator
    world.goOn?.(world.clock.now())
    const named = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
    const refused = shop.breaks && !keysHold()
    return await simulator.answer({
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(refused ? named.filter(([name]) => name !== 'authorization') : named),
      body: Buffer.from(request.body ?? ''),
    })
  }

  return {
    open,
    around: (egress) => ({
      fetch: async (request) => {
        const host = URL.parse(request.url)?.hostname ?? ''
        const place = demoPlace(host)
        return place ? await ask(place, request) : await egress.fetch(request)
      },
      close: () => egress.close(),
    }),
  }
}

/** In its first seconds, and for four minutes of every hour, the ERP behind the webhook is being updated; the chat is always there. */
export function isDown({ beganAt, slug }: Pick<DemoPlace, 'beganAt' | 'slug'>, now: number): boolean {
  if (slug !== 'erp') return false
  const seconds = (now - beganAt.getTime()) / 1000
  return seconds < 30 || seconds % 3600 > 3360
}

function endpoint(place: DemoPlace): EgressAnswer {
  const down = isDown(place, Date.now())
  const body = down ? 'Being updated, back in a moment.' : '{"received":true}'
  return {
    status: down ? 503 : 200,
    headers: { 'content-type': down ? 'text/plain' : 'application/json' },
    bytes: Buffer.from(body),
  }
}
