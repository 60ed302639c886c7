import { readDefinition } from '../../commerce/definition/check-definition.ts'
import type { Definition } from '../../commerce/definition/definition.ts'
import { isFields } from '../../commerce/reading.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import type { PartName } from './try-step.ts'

/**
 * As much of a description as is needed to fetch a record: where, how, and which list. Null where that is not there yet.
 * The list is read as one of products, of which the least has to be said.
 */
export function sampleDefinition(written: AnyFields, part: PartName): Definition | null {
  const own = written[part]
  if (!isFields(own) || !isFields(own['list'])) return null
  const { origin, auth, budget } = written
  const list = { paging: { style: 'none' }, ...own['list'] }
  const fields = { remote_id: 'id', title: 'id', updated_at: { value: '2026-01-01T00:00:00Z' } }
  const products = { list, fields, variants: { fields: { remote_id: 'id' } } }
  const joins = own['joins'] === undefined ? {} : { joins: own['joins'] }
  const read = readDefinition({
    origin,
    auth,
    ...(budget !== undefined && { budget }),
    products: { ...products, ...joins },
  })
  return read.definition
}

/** The same, whose only record is the whole answer. Null where something is joined to records, which have to be known for that. */
export function answerDefinition(definition: Definition): Definition | null {
  const { products } = definition
  if (!products || products.joins) return null
  const { paging } = products.list
  const counted = paging.style === 'page' || paging.style === 'offset'
  const list = {
    ...products.list,
    items: { select: '[@]' },
    paging: { ...paging, style: counted ? paging.style : ('none' as const) },
  }
  return { ...definition, products: { ...products, list } }
}
