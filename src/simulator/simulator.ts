import { inMemory, type MemorySimulator, type OpenedShop, openShop } from './open-shop.ts'
import type { SimulatorOptions } from './options.ts'
import { platforms } from './platforms/index.ts'

export type { MemorySimulator } from './open-shop.ts'

/** A shop of any platform, by the name of its connector. */
export function openShopOn(options: SimulatorOptions, origin?: string): OpenedShop {
  const name = options.platform ?? 'sandbox'
  const definition = platforms[name]
  if (!definition) throw new RangeError(`There is no platform "${name}".`)
  return openShop(name, definition, options, origin)
}

export const openSimulator = (options: SimulatorOptions): MemorySimulator => inMemory(openShopOn(options))
