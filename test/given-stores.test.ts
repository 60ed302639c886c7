import { expect, test } from 'vitest'
import { connectors } from '../src/connectors/index.ts'
import { formOf, givenStore } from './support/given-stores.ts'

const named = (type: string) => {
  const connector = connectors.get(type)
  if (!connector) throw new Error(`There is no ${type}.`)
  return connector
}

test('a store is given by its address and the names of its keys, or by how these end', () => {
  const keys = { STORE_WOOCOMMERCE_KEY: 'ck_1', STORE_WOOCOMMERCE_CONSUMER_SECRET: 'cs_1' }
  const given = { STORE_WOOCOMMERCE_URL: 'https://shop.example.com', ...keys }
  const woocommerce = named('woocommerce')
  expect(givenStore(woocommerce, given)).toMatchObject({
    shop: 'shop.example.com',
    settings: {},
    credentials: { consumer_key: 'ck_1', consumer_secret: 'cs_1' },
    writes: false,
    since: null,
  })
  expect(givenStore(woocommerce, keys)).toBeNull()
  const more = { STORE_WOOCOMMERCE_WRITE: '1', STORE_WOOCOMMERCE_KEYS_IN_QUERY: 'true' }
  expect(
    givenStore(woocommerce, { ...given, ...more, STORE_WOOCOMMERCE_URL: 'http://127.0.0.1:8080/shop' }),
  ).toMatchObject({
    shop: 'at-127-0-0-1.example.com',
    settings: { base_url: 'http://127.0.0.1:8080/shop', keys_in_query: true },
    writes: true,
  })
  expect(() => givenStore(woocommerce, { ...given, STORE_WOOCOMMERCE_TOKEN: 'x' })).toThrow(
    'WooCommerce knows no STORE_WOOCOMMERCE_TOKEN; it takes consumer_key, consumer_secret, base_url,',
  )
})

test.each([...connectors.keys()])('every field of %s can be given', (type) => {
  const connector = named(type)
  const fields = Object.entries(formOf(connector).properties)
  const environment = Object.fromEntries(
    fields.map(([name, schema]) => {
      const isText = 'type' in schema && schema.type === 'string'
      return [`STORE_${type.toUpperCase()}_${name.toUpperCase()}`, isText ? 'x' : 'true']
    }),
  )
  const store = givenStore(connector, { ...environment, [`STORE_${type.toUpperCase()}_URL`]: 'https://a.example.com' })
  expect(Object.keys(store?.credentials ?? {}).sort()).toEqual(fields.map(([name]) => name).sort())
})
