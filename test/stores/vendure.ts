import { startStore } from './kit.ts'
import { fetchJson, inner, type RealStore, records, type TrueOrder } from './store.ts'

const statuses: Readonly<Record<string, TrueOrder['status']>> = {
  PaymentAuthorized: 'UNPAID',
  Shipped: 'SHIPPED',
  Delivered: 'DELIVERED',
  Cancelled: 'CANCELLED',
}

export async function startVendure(): Promise<RealStore> {
  const { about, version, order, stop } = await startStore('vendure', '@vendure/core')
  const url = String(about['adminApi'])
  const ask = async (query: string): Promise<Record<string, unknown>> => {
    const answer = await fetchJson(url, {
      method: 'POST',
      headers: { 'vendure-api-key': String(about['apiKey']) },
      body: { query },
    })
    const data = (answer['data'] ?? {}) as Record<string, unknown>
    const refused = Object.values(data).find((one) => inner(one, 'errorCode') !== undefined)
    if (answer['errors'] || refused) throw new Error(JSON.stringify(answer['errors'] ?? refused))
    return data
  }
  const refusal = '... on ErrorResult { errorCode message }'
  const all = async (field: string, options: string, fields: string) => {
    const found: Record<string, unknown>[] = []
    for (;;) {
      const page = await ask(
        `{ ${field}(options: { take: 100, skip: ${found.length} ${options} }) { totalItems items { ${fields} } } }`,
      )
      found.push(...records(inner(page, field, 'items')))
      if (found.length >= Number(inner(page, field, 'totalItems'))) return found
    }
  }

  const orders = async (): Promise<TrueOrder[]> => {
    const fields = 'id code state currencyCode totalWithTax payments { state } fulfillments { trackingCode }'
    const found = await all('orders', ', sort: { id: ASC }, filter: { active: { eq: false } }', fields)
    return found.map((one) => ({
      remote_id: String(one['id']),
      number: String(one['code']),
      status: statuses[String(one['state'])] ?? 'PENDING',
      remote_status: String(one['state']),
      currency: String(one['currencyCode']),
      total: Number(one['totalWithTax']) / 100,
      paid: records(one['payments']).some(({ state }) => state === 'Settled'),
      tracking: records(one['fulfillments']).map(({ trackingCode }) => String(trackingCode)),
    }))
  }

  const settle = async (id: string) => {
    const { order: current } = await ask(`{ order(id: "${id}") { payments { id } } }`)
    const payment = records(inner(current, 'payments'))[0]?.['id']
    await ask(`mutation { settlePayment(id: "${payment}") { __typename ${refusal} } }`)
  }

  return {
    name: 'vendure',
    version,
    settings: { base_url: String(about['baseUrl']) },
    credentials: [{ api_key: about['apiKey'] }, about['admin'] as Record<string, unknown>],
    wrong: { credentials: { api_key: 'wrong' }, field: 'credentials.api_key' },
    order,
    orders,
    productCount: async () => (await all('products', '', 'id')).length,
    levels: async () => {
      const fields = 'sku stockLevels { stockLocationId stockOnHand stockAllocated }'
      return (await all('productVariants', '', fields)).flatMap(({ sku, stockLevels }) =>
        records(stockLevels).map((level) => ({
          sku: String(sku),
          location: String(level['stockLocationId']),
          available: Number(level['stockOnHand']) - Number(level['stockAllocated']),
        })),
      )
    },
    settle,
    async ship(id, tracking) {
      await settle(id)
      const { order: current } = await ask(`{ order(id: "${id}") { lines { id quantity } } }`)
      const lines = records(inner(current, 'lines')).map(
        (line) => `{ orderLineId: "${line['id']}", quantity: ${line['quantity']} }`,
      )
      const given = `[{ name: "method", value: "Own van" }, { name: "trackingCode", value: "${tracking}" }]`
      const input = `{ lines: [${lines}], handler: { code: "manual-fulfillment", arguments: ${given} } }`
      const made = await ask(
        `mutation { addFulfillmentToOrder(input: ${input}) { ... on Fulfillment { id } ${refusal} } }`,
      )
      const parcel = inner(made, 'addFulfillmentToOrder', 'id')
      await ask(
        `mutation { transitionFulfillmentToState(id: "${parcel}", state: "Shipped") { __typename ${refusal} } }`,
      )
    },
    async cancel(id) {
      await ask(`mutation { cancelOrder(input: { orderId: "${id}", cancelShipping: true }) { __typename ${refusal} } }`)
    },
    hiddenChange: null,
    stop,
  }
}
