import { type Opened, typedKeys } from '../../commerce/connector/auth.ts'
import type { AnswerReading } from '../../commerce/connector/remote-rules.ts'
import { isCredentialsRefusal, type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import type { MissingRight } from '../../commerce/rules/rights.ts'
import { isZone } from '../../commerce/wire/local-time.ts'
import { say } from '../../commerce/words/say.ts'
import { listRecords, valueIn } from './ask.ts'
import { type Credentials, credentials, type PrestaFacts, type PrestaShop, type Settings } from './settings.ts'
import { homeOf } from './stocks.ts'

export const auth = typedKeys<Settings, Credentials, typeof credentials>({
  credentials,
  open,
  checkAccess,
  checkRights,
  remains: say('remains_prestashop'),
})

const states = {
  PS_OS_CANCELED: 'state_canceled',
  PS_OS_REFUND: 'state_refunded',
  PS_OS_ERROR: 'state_failed',
  PS_OS_SHIPPING: 'state_shipped',
  PS_OS_DELIVERED: 'state_delivered',
  PS_OS_OUTOFSTOCK_PAID: 'state_backorder_paid',
  PS_OS_OUTOFSTOCK_UNPAID: 'state_backorder_unpaid',
} as const

const others = ['PS_TIMEZONE', 'PS_LANG_DEFAULT', 'PS_CURRENCY_DEFAULT', 'PS_WEIGHT_UNIT', 'PS_SHOP_DEFAULT']

/** Asks the shop once for what its records do not say: its clock, currency and language, and which states mean what. */
async function open(shop: PrestaShop): Promise<Opened<Settings, Credentials>> {
  try {
    return await opened(shop)
  } catch (error) {
    if (!isCredentialsRefusal(error) || shop.settings.key_in_query) throw error
    // Some hosts drop the header that the key travels in: then it is tried in the query, and stays there if that helps.
    try {
      return await opened({ ...inQuery(shop), settings: { ...shop.settings, key_in_query: true } })
    } catch (again) {
      throw isCredentialsRefusal(again) ? error : again
    }
  }
}

async function opened(shop: PrestaShop): Promise<Opened<Settings, Credentials>> {
  const settings = { ...(await learn(shop)), ...shop.settings }
  const { group } = await homeOf({ ...shop, settings })
  return {
    credentials: shop.credentials,
    expiresAt: null,
    settings: { ...(group === null ? {} : { id_shop_group: Number(group) }), ...settings },
  }
}

const inQuery = (shop: PrestaShop): PrestaShop => ({
  ...shop,
  remote: {
    request: (asked) =>
      shop.remote.request({
        ...asked,
        anonymous: true,
        query: { ...asked.query, ws_key: shop.credentials.webservice_key },
      }),
  },
})

async function learn(shop: PrestaShop): Promise<Partial<Settings>> {
  const filters = { name: `[${[...others, ...Object.keys(states)].join('|')}]` }
  const rows = await listRecords(shop, 'configurations', { filters, display: '[name,value]' })
  const values = new Map(rows.map((row) => [valueIn(row, 'name'), valueIn(row, 'value')]))
  const zone = values.get('PS_TIMEZONE')
  const language = Number(values.get('PS_LANG_DEFAULT'))
  const unit = values.get('PS_WEIGHT_UNIT')
  const defaultShop = Number(values.get('PS_SHOP_DEFAULT'))
  const known = Object.entries(states).flatMap(([name, setting]): [string, number][] => {
    const id = Number(values.get(name))
    return Number.isSafeInteger(id) && id > 0 ? [[setting, id]] : []
  })
  if (!zone || !isZone(zone)) throw refused(say('no_time_zone'))
  return {
    timezone: zone,
    ...(language > 0 ? { language } : {}),
    ...(unit ? { weight_unit: unit } : {}),
    // Stock is listed for all shops of an installation: without a number there is no telling them apart.
    ...(defaultShop > 0 ? { id_shop: defaultShop } : {}),
    ...(await currencyOf(shop, values.get('PS_CURRENCY_DEFAULT') ?? '')),
    ...Object.fromEntries(known),
  }
}

async function currencyOf(shop: PrestaShop, id: string): Promise<Partial<Settings>> {
  const [currency] = await listRecords(shop, 'currencies', { filters: { id: `[${id}]` } })
  const code = currency ? valueIn(currency, 'iso_code') : null
  return code ? { currency: code } : {}
}

async function checkAccess(shop: PrestaShop): Promise<void> {
  await listRecords(shop, 'orders', { display: '[id]', size: 1 })
}

const where = 'Advanced Parameters → Webservice'

/** What the README asks for. */
const neededRights: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [
      ...['orders', 'order_states', 'customers', 'addresses', 'countries', 'states', 'currencies', 'carriers'],
      ...['configurations', 'products', 'combinations', 'product_options', 'product_option_values'],
    ].map((name) => [name, ['get']]),
  ),
  order_carriers: ['get', 'put'],
  stock_availables: ['get', 'put'],
  order_histories: ['get', 'post'],
}

/** The webservice's own front page lists what a key may do, resource by resource. */
async function checkRights({ remote }: PrestaShop): Promise<MissingRight[]> {
  const { body } = await remote.request({ method: 'GET', path: '/api/', headers: { accept: '*/*' } })
  if (typeof body !== 'string') return []
  const listed = [...body.matchAll(/<(\w+)\s([^<>]*\bget="(?:true|false)"[^<>]*)>/g)]
  const granted = new Map(listed.map(([, name = '', rights = '']) => [name, rights]))
  // Some other page: then what is missing shows when it is needed.
  if (granted.size === 0) return []
  return Object.entries(neededRights).flatMap(([name, methods]) => {
    const missing = methods.filter((method) => !granted.get(name)?.includes(`${method}="true"`))
    return missing.length === 0 ? [] : [{ name: `${name} (${missing.join(', ').toUpperCase()})`, where }]
  })
}

/**
 * What a key may not do is refused with the status of wrong keys. And a record that was saved, but whose mail could not be
 * sent, is told like a shop that has failed: whoever saved it looks what became of it.
 */
export function readAnswer({ status, body }: RemoteAnswer): AnswerReading {
  if (status === 500 && saysUnsaved(body)) return { verdict: 'ok' }
  if (status !== 401 && status !== 405) return {}
  const said = typeof body === 'string' ? body.slice(0, 5000) : JSON.stringify(body ?? '')
  const [, resource] = /Resource of type \\?"(\w+)\\?" is not allowed/.exec(said) ?? []
  const [, method, target] = /Method (\w+) is not allowed for the resource (\w+)/.exec(said) ?? []
  const name = resource ?? (target && `${target} (${method})`)
  return name ? { missingRight: { name, where } } : {}
}

const saysUnsaved = (body: unknown): boolean =>
  /Unable to save resource/.test(typeof body === 'string' ? body.slice(0, 5000) : JSON.stringify(body ?? ''))

/** The key is the name, and there is no password. */
export function authenticate(
  request: RemoteRequest,
  { webservice_key: key }: Credentials,
  { settings }: PrestaFacts,
): RemoteRequest {
  if (settings.key_in_query) return { ...request, query: { ...request.query, ws_key: key } }
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
  return { ...request, headers: { ...request.headers, authorization } }
}
