import { startStore } from './kit.ts'
import { fetchJson, inner, type RealStore, records, type TrueOrder } from './store.ts'

export async function startMedusa(): Promise<RealStore> {
  const { about, version, order, stop } = await startStore('medusa', '@medusajs/medusa')
  const base = String(about['baseUrl'])
  const headers = { authorization: `Basic ${Buffer.from(`${about['secretKey']}:`).toString('base64')}` }
  const get = (path: string) => fetchJson(`${base}${path}`, { headers })
  const post = (path: string, body: unknown = {}) => fetchJson(`${base}${path}`, { method: 'POST', headers, body })
  const all = async (path: string, name: string, fields: string) => {
    const found: Record<string, unknown>[] = []
    for (;;) {
      const page = await get(`${path}?limit=50&offset=${found.length}&order=id&fields=${encodeURIComponent(fields)}`)
      found.push(...records(page[name]))
      if (found.length >= Number(page['count'])) return found
    }
  }

  const paymentOf = async (id: string) => {
    const { order: current } = await get(`/admin/orders/${id}?fields=id,*payment_collections.payments`)
    return records(inner(records(inner(current, 'payment_collections'))[0], 'payments'))[0]?.['id']
  }

  return {
    name: 'medusa',
    version,
    settings: { base_url: base },
    credentials: [{ secret_key: about['secretKey'] }],
    wrong: { credentials: { secret_key: 'sk_wrong' }, field: 'credentials.secret_key' },
    order,
    async orders(): Promise<TrueOrder[]> {
      const fields = 'id,display_id,status,payment_status,currency_code,total,*items,*items.detail,*fulfillments.labels'
      return (await all('/admin/orders', 'orders', fields)).map((one) => {
        const sum = (name: string) =>
          records(one['items']).reduce((count, item) => count + Number(inner(item, 'detail', name)), 0)
        const done = sum('fulfilled_quantity') >= sum('quantity')
        const here = sum('delivered_quantity') >= sum('quantity')
        return {
          remote_id: String(one['id']),
          number: String(one['display_id']),
          status: one['status'] === 'canceled' ? 'CANCELLED' : here ? 'DELIVERED' : done ? 'SHIPPED' : 'PENDING',
          remote_status: String(one['status']),
          currency: String(one['currency_code']).toUpperCase(),
          total: Number(one['total']),
          paid: one['payment_status'] !== 'authorized',
          tracking: records(one['fulfillments']).flatMap(({ labels }) =>
            records(labels).map((label) => String(label['tracking_number'])),
          ),
        }
      })
    },
    productCount: async () => (await all('/admin/products', 'products', 'id')).length,
    levels: async () =>
      (await all('/admin/inventory-items', 'inventory_items', 'id,sku,*location_levels')).flatMap((item) =>
        records(item['location_levels']).map((level) => ({
          sku: String(item['sku']),
          location: String(level['location_id']),
          available: Number(level['stocked_quantity']) - Number(level['reserved_quantity']),
        })),
      ),
    async settle(id) {
      await post(`/admin/payments/${await paymentOf(id)}/capture`)
    },
    async ship(id, tracking) {
      const { order: current } = await get(`/admin/orders/${id}?fields=id,*items`)
      const items = records(inner(current, 'items')).map((item) => ({ id: item['id'], quantity: item['quantity'] }))
      await post(`/admin/orders/${id}/fulfillments`, { items })
      const { order: packed } = await get(`/admin/orders/${id}?fields=id,*fulfillments`)
      const parcel = records(inner(packed, 'fulfillments'))[0]?.['id']
      const labels = [{ tracking_number: tracking, tracking_url: '', label_url: '' }]
      await post(`/admin/orders/${id}/fulfillments/${parcel}/shipments`, { items, labels })
    },
    cancel: async (id) => {
      await post(`/admin/orders/${id}/cancel`)
    },
    /** Taking a part of the money moves neither the order's time nor the payment's. */
    async hiddenChange(id) {
      await post(`/admin/payments/${await paymentOf(id)}/capture`, { amount: 1 })
    },
    stop,
  }
}
