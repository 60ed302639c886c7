import type { InventoryLevel } from '../../../commerce/inventory.ts'
import { Fault } from '../../../lib/fault.ts'
import type { OpenShop } from '../../shop/open-remote.ts'
import type { Telling } from './tell-store.ts'

/**
 * What the shop shows at this moment, one for each; null where it cannot be asked for a few levels, or just now for none. Then the next read of all levels
 * says so.
 */
export async function lookAt(
  { connector: { inventory }, shop }: Pick<OpenShop, 'connector' | 'shop'>,
  tellings: readonly Telling[],
  /** Then whoever asks would rather come back than not know. */
  { insists = false }: { insists?: boolean } = {},
): Promise<(number | null)[]> {
  const unknown = tellings.map(() => null)
  if (!inventory?.levelsNow || tellings.length === 0) return unknown
  const names = tellings.map(({ sku, location }) => ({ sku, location: location === '' ? null : location }))
  try {
    const levels = (await inventory.levelsNow(shop, names)).flatMap((raw) =>
      understood(() => inventory.translate(raw, shop)),
    )
    return tellings.map((telling) => levels.find((level) => isOf(telling, level))?.available ?? null)
  } catch (error) {
    // What matters is what is told.
    if (error instanceof Fault && !(insists && error.kind === 'upstream_retryable')) return unknown
    throw error
  }
}

/** Records that nobody understands are reported by who reads all of them. */
function understood(translate: () => InventoryLevel): InventoryLevel[] {
  try {
    return [translate()]
  } catch {
    return []
  }
}

const isOf = ({ sku, remote_id: id, location }: Telling, level: InventoryLevel): boolean =>
  level.sku === sku && (level.location_remote_id ?? '') === location && (level.variant_remote_id ?? level.sku) === id
