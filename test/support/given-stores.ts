import type { TObject } from 'typebox'
import type { Connector } from '../../src/commerce/connector.ts'
import { timeOf } from '../../src/commerce/reading.ts'
import { shopPattern } from '../../src/commerce/rules/shop-address.ts'
import type { AnyFields } from '../../src/commerce/shop.ts'

/**
 * Real stores that the environment names: `STORE_<TYPE>_URL`, and `STORE_<TYPE>_<FIELD>` for each field of the
 * connector's credentials and settings. Every connector is given its store this way, and none has names of its own.
 */
export interface GivenStore {
  url: URL
  shop: string
  settings: AnyFields
  credentials: AnyFields
  /** Whether anything may be changed there. */
  writes: boolean
  /** Where reading begins; null is everything that the shop has. */
  since: string | null
  /** Orders that may be sent or cancelled, for platforms where we can make none. */
  orders: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** Set by `vitest.stores.config.ts`: connectors are tried on real stores, and on nothing else. */
export const onRealStores = process.env['CONFORMANCE'] === 'stores'

export function givenStore(connector: Connector, environment: Environment = process.env): GivenStore | null {
  const prefix = `STORE_${connector.type.toUpperCase().replaceAll('-', '_')}_`
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith(prefix) && value ? [[name.slice(prefix.length).toLowerCase(), value]] : [],
    ),
  )
  const { url: address, write, orders, since, ...fields } = given
  if (address === undefined) return null
  const url = new URL(address)
  const [credentials, settings]: [AnyFields, AnyFields] = [{}, placeOf(connector, url)]
  for (const [name, value] of Object.entries(fields)) {
    const isCredential = fieldCalled(name, formOf(connector))
    const field = isCredential ?? fieldCalled(name, connector.settings)
    if (field === undefined) {
      const known = [formOf(connector), connector.settings].flatMap(({ properties }) => Object.keys(properties))
      throw new Error(`${connector.name} knows no ${prefix}${name.toUpperCase()}; it takes ${known.join(', ')}.`)
    }
    if (isCredential) credentials[field] = readValue(formOf(connector), field, value)
    else settings[field] = readValue(connector.settings, field, value)
  }
  return {
    url,
    shop: shopAt(url),
    settings,
    credentials,
    writes: write === '1',
    since: since === undefined ? null : timeOf(since),
    orders: orders?.split(',').map((id) => id.trim()) ?? [],
  }
}

/** What a merchant types; where only a browser brings credentials, what is kept of them. */
export const formOf = ({ auth }: Connector): TObject =>
  auth.kind === 'keys' ? auth.credentials : (auth.typed?.form ?? auth.credentials)

/** By its name, or by how that ends: KEY is `consumer_key`, where no other field ends like that. */
function fieldCalled(name: string, { properties }: TObject): string | undefined {
  const names = Object.keys(properties)
  const [field, ...others] = names.includes(name) ? [name] : names.filter((one) => one.endsWith(`_${name}`))
  return others.length === 0 ? field : undefined
}

function readValue({ properties }: TObject, field: string, value: string): unknown {
  const schema: object | undefined = properties[field]
  return schema && 'type' in schema && schema.type !== 'string' ? JSON.parse(value) : value
}

/** Addresses that are more than https and a name go where the connector takes them. */
const placeOf = ({ settings }: Connector, url: URL): AnyFields =>
  settings.properties['base_url'] && url.href !== `https://${url.hostname}/` ? { base_url: url.href } : {}

/** Shops are known by the names of their hosts; one that has only a number gets a name. */
const shopAt = ({ hostname }: URL): string =>
  new RegExp(shopPattern).test(hostname) ? hostname : `at-${hostname.replace(/[^\da-f]+/g, '-')}.example.com`

/** The connector without what the program changes in a shop by itself: a key that may only read is enough for it. */
export const readingOnly = ({ webhooks: _, ...connector }: Connector): Connector => ({
  ...connector,
  auth: { ...connector.auth, checkRights: async () => [] },
})

/**
 * Keys of the right form that open nothing: each has another character in its middle. Not at its end: Vendure's keys have
 * 89 characters, of which it compares the 72 that bcrypt takes.
 */
export const wrongKeys = (credentials: AnyFields): AnyFields =>
  Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [name, typeof value === 'string' ? spoilt(value) : value]),
  )

function spoilt(key: string): string {
  const middle = Math.floor(key.length / 2)
  return `${key.slice(0, middle)}${key[middle] === '0' ? '1' : '0'}${key.slice(middle + 1)}`
}
