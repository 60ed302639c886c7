import { fetchJson, inner, records, type TrueLevel } from './store.ts'

/** Where buyers are: a real store by its own API for shoppers, and its own records of what is left. */
export interface Floor {
  type: string
  version: string | null
  address: string
  settings: Record<string, unknown>
  credentials: Record<string, unknown>
  levels(): Promise<TrueLevel[]>
  /** A guest buys so many. Throws what the store says where it has too few. */
  buy(sku: string, quantity: number): Promise<void>
}

const buyer = {
  first: 'Ann',
  last: 'Lee',
  street: '1 Main St',
  city: 'San Francisco',
  postcode: '94103',
  phone: '5550100',
}
let guests = 0
const guestMail = () => `guest.${Date.now().toString(36)}.${++guests}@example.test`

export function vendureFloor({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Omit<Floor, 'version'> {
  const asker = (api: 'admin-api' | 'shop-api', headers: Record<string, string>) => {
    let session: string | null = null
    return async (query: string, variables: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
      const answer = await fetch(new URL(api, `${baseUrl.replace(/\/$/, '')}/`), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...headers,
          ...(session === null ? {} : { authorization: `Bearer ${session}` }),
        },
        body: JSON.stringify({ query, variables }),
      })
      session = answer.headers.get('vendure-auth-token') ?? session
      const { data = {}, errors } = (await answer.json()) as { data?: Record<string, unknown>; errors?: unknown }
      const refused = Object.values(data).find((one) => inner(one, 'errorCode') !== undefined)
      if (errors || refused) throw new Error(JSON.stringify(errors ?? refused))
      return data
    }
  }
  const admin = asker('admin-api', { 'vendure-api-key': apiKey })
  const refusal = '... on ErrorResult { errorCode message }'
  return {
    ...{ type: 'vendure', address: baseUrl },
    settings: { base_url: baseUrl },
    credentials: { api_key: apiKey },
    async levels() {
      const fields = 'sku stockLevels { stockLocationId stockOnHand stockAllocated }'
      const found: Record<string, unknown>[] = []
      for (;;) {
        const page = await admin(
          `{ productVariants(options: { take: 100, skip: ${found.length} }) { totalItems items { ${fields} } } }`,
        )
        found.push(...records(inner(page, 'productVariants', 'items')))
        if (found.length >= Number(inner(page, 'productVariants', 'totalItems'))) break
      }
      return found.flatMap(({ sku, stockLevels }) =>
        records(stockLevels).map((level) => ({
          sku: String(sku),
          location: String(level['stockLocationId']),
          available: Number(level['stockOnHand']) - Number(level['stockAllocated']),
        })),
      )
    },
    async buy(sku, quantity) {
      const named = await admin(
        'query($sku: String!) { productVariants(options: { filter: { sku: { eq: $sku } } }) { items { id } } }',
        { sku },
      )
      const id = records(inner(named, 'productVariants', 'items'))[0]?.['id']
      const guest = asker('shop-api', {})
      const change = async (field: string, types: string, values: Record<string, unknown>) =>
        await guest(`mutation${types} { ${field} { __typename ${refusal} } }`, values)
      await change('addItemToOrder(productVariantId: $id, quantity: $quantity)', '($id: ID!, $quantity: Int!)', {
        id,
        quantity,
      })
      const who = { emailAddress: guestMail(), firstName: buyer.first, lastName: buyer.last }
      await change('setCustomerForOrder(input: $who)', '($who: CreateCustomerInput!)', { who })
      const { availableCountries: countries } = await guest('{ availableCountries { code } }')
      const codes = records(countries).map(({ code }) => String(code))
      const where = {
        ...{ fullName: `${buyer.first} ${buyer.last}`, streetLine1: buyer.street, city: buyer.city },
        ...{ postalCode: buyer.postcode, countryCode: codes.includes('US') ? 'US' : codes[0] },
      }
      await change('setOrderShippingAddress(input: $where)', '($where: CreateAddressInput!)', { where })
      const offered = await guest('{ eligibleShippingMethods { id } eligiblePaymentMethods { code } }')
      const method = [records(offered['eligibleShippingMethods'])[0]?.['id']]
      await change('setOrderShippingMethod(shippingMethodId: $method)', '($method: [ID!]!)', { method })
      await change('transitionOrderToState(state: "ArrangingPayment")', '', {})
      const payment = records(offered['eligiblePaymentMethods'])[0]?.['code']
      await change('addPaymentToOrder(input: { method: $payment, metadata: {} })', '($payment: String!)', { payment })
    },
  }
}

export function medusaFloor({ baseUrl, secretKey }: { baseUrl: string; secretKey: string }): Omit<Floor, 'version'> {
  const base = baseUrl.replace(/\/$/, '')
  const secret = { authorization: `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}` }
  const admin = (path: string) => fetchJson(`${base}/admin${path}`, { headers: secret })
  return {
    ...{ type: 'medusa', address: baseUrl },
    settings: { base_url: baseUrl },
    credentials: { secret_key: secretKey },
    async levels() {
      const fields = encodeURIComponent('id,sku,*location_levels')
      const found: Record<string, unknown>[] = []
      for (;;) {
        const page = await admin(`/inventory-items?limit=50&offset=${found.length}&order=id&fields=${fields}`)
        found.push(...records(page['inventory_items']))
        if (found.length >= Number(page['count'])) break
      }
      return found.flatMap((item) =>
        records(item['location_levels']).map((level) => ({
          sku: String(item['sku']),
          location: String(level['location_id']),
          available: Number(level['stocked_quantity']) - Number(level['reserved_quantity']),
        })),
      )
    },
    async buy(sku, quantity) {
      const keys = records((await admin('/api-keys?type=publishable'))['api_keys'])
      const headers = { 'x-publishable-api-key': String(keys.find((key) => key['revoked_at'] == null)?.['token']) }
      const shop = (method: string, path: string, body?: unknown) =>
        fetchJson(`${base}/store${path}`, { method, headers, body })
      const region = records((await shop('GET', '/regions'))['regions'])[0]
      const variants = await admin(`/product-variants?sku=${encodeURIComponent(sku)}&fields=id,sku`)
      const variant = records(variants['variants']).find((one) => one['sku'] === sku)
      const country = records(inner(region, 'countries'))[0]?.['iso_2']
      const address = {
        ...{ first_name: buyer.first, last_name: buyer.last, address_1: buyer.street, city: buyer.city },
        ...{ postal_code: buyer.postcode, country_code: country, phone: buyer.phone },
      }
      const where = { email: guestMail(), shipping_address: address, billing_address: address }
      const { cart } = await shop('POST', '/carts', { region_id: region?.['id'], ...where })
      const id = String(inner(cart, 'id'))
      await shop('POST', `/carts/${id}/line-items`, { variant_id: variant?.['id'], quantity })
      const options = records((await shop('GET', `/shipping-options?cart_id=${id}`))['shipping_options'])
      await shop('POST', `/carts/${id}/shipping-methods`, { option_id: options[0]?.['id'] })
      const { payment_collection: payment } = await shop('POST', '/payment-collections', { cart_id: id })
      const sessions = `/payment-collections/${inner(payment, 'id')}/payment-sessions`
      await shop('POST', sessions, { provider_id: 'pp_system_default' })
      const done = await shop('POST', `/carts/${id}/complete`, {})
      if (done['type'] !== 'order') throw new Error(JSON.stringify(done['error'] ?? done))
    },
  }
}
