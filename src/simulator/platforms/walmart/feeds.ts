import { minute } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, parseJson, rowsOf, textOf, wholeOf } from '../../json.ts'
import type { World } from '../../world.ts'
import { nodeOf, nodes } from './items.ts'
import { invalid, notFound } from './reply.ts'

/** Files of levels, worked on in a while (variant `feed_delay: yes`); what cannot be taken is told article by article. */
export function feedRoutes({ clock, settings, shop: { stockroom } }: World): readonly RouteRow[] {
  const takes = settings.variant['feed_delay'] === 'yes' ? 10 * minute : 0
  const feeds = new Map<string, { id: string; at: number; items: readonly { sku: string; ok: boolean }[] }>()

  function send(call: Call, record: Recorder): Answer {
    const raw = call.raw.toString()
    const file = fieldsOf(parseJson(raw.slice(raw.indexOf('{'), raw.lastIndexOf('}') + 1)))
    const byPlace = call.query.get('feedType') === 'MP_INVENTORY'
    const rows = rowsOf(file[byPlace ? 'inventory' : 'Inventory'])
    if (!/name="file"/.test(raw) || rows.length === 0) return invalid('FEED', 'The file is not valid.')
    const items = rows.map((row) => {
      const sku = textOf(row['sku']) ?? ''
      const variant = stockroom.bySku(sku)
      const levels = byPlace ? rowsOf(row['shipNodes']) : [{ shipNode: nodeOf(0), quantity: row['quantity'] }]
      const places = levels.map(({ shipNode, quantity }) => ({
        ...{ location: nodes.indexOf(textOf(shipNode) ?? ''), amount: wholeOf(fieldsOf(quantity)['amount']) ?? -1 },
      }))
      if (!variant || places.some(({ location, amount }) => location < 0 || amount < 0)) return { sku, ok: false }
      for (const { location, amount } of places)
        if (stockroom.setStock(variant, location, amount)) record.effect('inventory.set', `${sku}@${nodeOf(location)}`)
      return { sku, ok: true }
    })
    const id = `F${feeds.size + 1}@AU8BAQA`
    feeds.set(id, { id, at: clock.now(), items })
    return answer(200, { feedId: id })
  }

  const find = (id: string) => feeds.get(decodeURIComponent(id))
  const show = forOne(
    find,
    notFound('FEED'),
  )(({ id, at, items }, { query }) => {
    const [offset, limit] = [wholeOf(query.get('offset')) ?? 0, Math.min(50, wholeOf(query.get('limit')) ?? 50)]
    const done = clock.now() >= at + takes
    const failed = items.filter(({ ok }) => !ok).length
    const description = 'The SKU does not exist.'
    const ingestionErrors = { ingestionError: [{ type: 'DATA_ERROR', code: 'ERR_SKU', description }] }
    const details = items.slice(offset, offset + limit).map(({ sku, ok }, index) => ({
      ...{ martId: 0, sku, index: offset + index },
      ...(ok ? { ingestionStatus: 'SUCCESS' } : { ingestionStatus: 'DATA_ERROR', ingestionErrors }),
    }))
    return answer(200, {
      ...{ feedId: id, feedStatus: done ? 'PROCESSED' : 'INPROGRESS', itemsReceived: items.length, offset, limit },
      ...(done ? { itemsSucceeded: items.length - failed, itemsFailed: failed, itemsProcessing: 0 } : {}),
      ...(done ? { itemDetails: { itemIngestionStatus: details } } : {}),
    })
  })
  return [
    ['POST', '/v3/feeds', 'feeds.send', send],
    ['GET', '/v3/feeds/:id', 'feeds.get', show],
  ]
}
