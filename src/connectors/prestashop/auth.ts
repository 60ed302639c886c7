import { type Opened, typedKeys } from '../../commerce/connector-auth.ts'
import { credentialsRefused, isCredentialsRefusal, type RemoteRequest, refused } from '../../commerce/remote.ts'
import { isZone } from '../../commerce/wire/local-time.ts'
import { listRecords, valueIn } from './ask.ts'
import { type Credentials, credentials, type PrestaFacts, type PrestaShop, type Settings } from './settings.ts'

export const auth = typedKeys<Settings, Credentials, typeof credentials>({
  credentials,
  open,
  checkAccess,
  remains: 'The webservice key is still in the shop: delete it under Advanced Parameters → Webservice.',
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

const others = ['PS_TIMEZONE', 'PS_LANG_DEFAULT', 'PS_CURRENCY_DEFAULT', 'PS_WEIGHT_UNIT']

/** Asks the shop once for what its records do not say: its clock, currency and language, and which states mean what. */
async function open(shop: PrestaShop): Promise<Opened<Settings, Credentials>> {
  const settings = { ...(await naming(learn(shop))), ...shop.settings }
  return { credentials: shop.credentials, expiresAt: null, settings }
}

async function learn(shop: PrestaShop): Promise<Partial<Settings>> {
  const filters = { name: `[${[...others, ...Object.keys(states)].join('|')}]` }
  const rows = await listRecords(shop, 'configurations', { filters, display: '[name,value]' })
  const values = new Map(rows.map((row) => [valueIn(row, 'name'), valueIn(row, 'value')]))
  const zone = values.get('PS_TIMEZONE')
  const language = Number(values.get('PS_LANG_DEFAULT'))
  const unit = values.get('PS_WEIGHT_UNIT')
  const known = Object.entries(states).flatMap(([name, setting]): [string, number][] => {
    const id = Number(values.get(name))
    return Number.isSafeInteger(id) && id > 0 ? [[setting, id]] : []
  })
  if (!zone || !isZone(zone))
    throw refused('The shop does not return its time zone; the key may lack the right to read configurations.')
  return {
    timezone: zone,
    ...(language > 0 ? { language } : {}),
    ...(unit ? { weight_unit: unit } : {}),
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
  await naming(listRecords(shop, 'orders', { display: '[id]', size: 1 }))
}

async function naming<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw isCredentialsRefusal(error) ? credentialsRefused(['webservice_key']) : error
  }
}

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
