import { authTypeOf } from '../../commerce/capabilities.ts'
import type { Context } from '../context.ts'
import { type CatalogueEntry, upsertCatalogue } from './catalogue-store.ts'

/** Gives every connector its service. Run at each start, by as many processes as there are. */
export async function syncCatalogue(context: Pick<Context, 'db' | 'connectors' | 'log'>): Promise<void> {
  const entries: CatalogueEntry[] = [...context.connectors.values()].map((connector) => ({
    type: connector.type,
    name: connector.name,
    description: connector.description ?? null,
    auth_type: authTypeOf(connector),
  }))
  const withoutService = await upsertCatalogue(context.db, entries)
  for (const type of withoutService) {
    context.log.warn({ type }, 'the service of a connector was removed')
  }
}
