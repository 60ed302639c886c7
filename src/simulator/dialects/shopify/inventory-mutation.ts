import { hash } from 'node:crypto'
import { inSeconds } from '../../clock.ts'
import { fieldsOf, listOf, wholeOf } from '../../json.ts'
import { locations, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { graphqlError } from './graphql/document.ts'
import { type Args, objectType, of } from './graphql/types.ts'
import { gid, indexOf, wholeAndPart } from './ids.ts'
import { payload, type Refusal, type Request, userError } from './payload.ts'

interface Group {
  at: string
  reason: string
  changes: { name: string; delta: number; variant: Variant; place: number }[]
}

const change = objectType<Group['changes'][number]>('InventoryChange', {
  name: ({ name }) => name,
  delta: ({ delta }) => delta,
})

const group = objectType<Group>('InventoryAdjustmentGroup', {
  createdAt: ({ at }) => at,
  reason: ({ reason }) => reason,
  referenceDocumentUri: () => null,
  changes: of(
    () => change,
    ({ changes }) => changes,
  ),
})

/** Setting stock wants a key, and the same key twice is the same thing once. */
export function inventoryMutations({ shop, clock }: World) {
  const answers = new Map<string, { asked: string; answer: { group: Group } | Refusal }>()

  function set({ record, key }: Request, { input }: Args): { group: Group } | Refusal {
    if (key === null) throw graphqlError('The @idempotent directive is required for this mutation', 'BAD_REQUEST')
    const asked = hash('sha256', JSON.stringify(input))
    const known = answers.get(key)
    if (known && known.asked !== asked) {
      return userError(
        ['input'],
        'The idempotency key was used for another request',
        'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
      )
    }
    if (known) return known.answer
    const answer = apply(fieldsOf(input))
    answers.set(key, { asked, answer })
    if ('group' in answer) {
      for (const { variant, place } of answer.group.changes) {
        record.effect('inventory.set', `${variant.sku}@${gid('Location', place)}`, key)
      }
    }
    return answer
  }

  function apply(input: Readonly<Record<string, unknown>>): { group: Group } | Refusal {
    const wanted = listOf(input['quantities']).map(fieldsOf)
    if (wanted.length === 0 || wanted.length > 250)
      return userError(['input', 'quantities'], 'From 1 to 250 quantities')
    const found: { variant: Variant; place: number; quantity: number }[] = []
    for (const [i, { inventoryItemId, locationId, quantity, changeFromQuantity }] of wanted.entries()) {
      const field = ['input', 'quantities', String(i)]
      const [product, position] = wholeAndPart(indexOf('InventoryItem', inventoryItemId) ?? -1)
      const variant = shop.stockroom.product(product)?.variants[position]
      const place = indexOf('Location', locationId) ?? -1
      const count = wholeOf(quantity)
      if (!variant)
        return userError([...field, 'inventoryItemId'], 'The inventory item does not exist', 'INVALID_INVENTORY_ITEM')
      if (place < 0 || place >= locations.length)
        return userError([...field, 'locationId'], 'The location does not exist', 'INVALID_LOCATION')
      if (count === null || count < 0)
        return userError([...field, 'quantity'], 'The quantity is invalid', 'INVALID_QUANTITY_NEGATIVE')
      const before = wholeOf(changeFromQuantity)
      if (before !== null && before !== variant.stock[place]) {
        return userError(
          [...field, 'changeFromQuantity'],
          'The quantity has changed meanwhile',
          'CHANGE_FROM_QUANTITY_STALE',
        )
      }
      found.push({ variant, place, quantity: count })
    }
    const changes = found.map(({ variant, place, quantity }) => {
      const delta = quantity - (variant.stock[place] ?? 0)
      if (delta !== 0) shop.stockroom.setStock(variant, place, quantity)
      return { name: 'available', delta, variant, place }
    })
    return { group: { at: inSeconds(clock.now()), reason: String(input['reason'] ?? 'correction'), changes } }
  }

  return {
    inventorySetQuantities: payload('InventorySetQuantitiesPayload', set, {
      inventoryAdjustmentGroup: of(
        () => group,
        (done) => done.group,
      ),
    }),
  }
}
