import { describe, test } from 'vitest'
import { connectors } from '../../../src/connectors/index.ts'
import { givenStore } from '../../support/given-stores.ts'
import { type Floor, medusaFloor, vendureFloor } from '../floors.ts'
import { shareStock } from '../share-stock.ts'

type Keys = Readonly<Record<string, unknown>>

/** Stores in which somebody has written down how to shop. */
const floorOf: Readonly<Record<string, (url: string, keys: Keys) => Omit<Floor, 'version'>>> = {
  vendure: (baseUrl, keys) => vendureFloor({ baseUrl, apiKey: String(keys['api_key']) }),
  medusa: (baseUrl, keys) => medusaFloor({ baseUrl, secretKey: String(keys['secret_key']) }),
}

const floors = [...connectors.values()].flatMap((connector): Floor[] => {
  const store = givenStore(connector)
  const open = floorOf[connector.type]
  if (!store?.writes || !open) return []
  return [{ ...open(store.url.href, store.credentials), settings: store.settings, version: null }]
})

describe('one stock over the stores that the environment names', () => {
  if (floors.length >= 2) shareStock(async () => ({ floors, close: async () => undefined }))
  else test.skip(`needs two stores that may be written to, of ${Object.keys(floorOf).join(' and ')}`, () => undefined)
})
