import { beforeEach, describe, expect, test } from 'vitest'
import { type Imitation, openImitation } from '../../../test/support/imitation.ts'
import type { Delivery } from '../../commerce/connector/webhooks.ts'
import { ebay } from '../../connectors/ebay/index.ts'
import { createKeyCache } from './inbound-keys.ts'

const facts = { shop: '-', settings: {} }
let platform: Imitation
let keys: ReturnType<typeof createKeyCache>
let delivery: Delivery

beforeEach(() => {
  platform = openImitation(ebay)
  keys = createKeyCache(platform)
  const [message] = platform.simulator.messages('ours')
  if (!message) throw new Error('There is no message.')
  delivery = { method: 'POST', headers: message.headers, query: {}, raw: Buffer.from(message.body) }
})

const ours = () => Object(platform.simulator.install.client)
const theirs = () => ({ ...ours(), client_secret: 'mistyped' })
const keyFor = (client: object) => keys(ebay, { facts, client: { ...client } }, delivery)

describe('a key that messages are signed with', () => {
  test('is fetched once for all apps', async () => {
    const key = await keyFor(ours())
    expect(key).toMatch(/^SHA/)
    const times = platform.asked.length
    expect(await keyFor(theirs())).toBe(key)
    expect(platform.asked).toHaveLength(times)
  })

  test('is there for an app, although the platform has just refused it to another', async () => {
    expect(await keyFor(theirs())).toBeNull()
    const times = platform.asked.length
    // Whoever was refused is not asked with again.
    expect(await keyFor(theirs())).toBeNull()
    expect(platform.asked).toHaveLength(times)
    expect(await keyFor(ours())).toMatch(/^SHA/)
  })

  test('is there for an app, however many ids a stranger names where messages of another arrive', async () => {
    const named = (kid: string) => {
      const signature = Buffer.from(JSON.stringify({ alg: 'ecdsa', kid, signature: 'none', digest: 'SHA1' }))
      return { ...delivery, headers: { ...delivery.headers, 'x-ebay-signature': signature.toString('base64') } }
    }
    const tries = Array.from({ length: 11 }, (_, n) =>
      keys(ebay, { facts, client: theirs() }, named(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)),
    )
    const ends = await Promise.allSettled(tries)
    expect(ends.map(({ status }) => status)).toEqual([...Array(10).fill('fulfilled'), 'rejected'])
    expect(await keyFor(ours())).toMatch(/^SHA/)
  })

  test('is there for an app that has asked while the platform was refusing it to another', async () => {
    expect(await Promise.all([keyFor(theirs()), keyFor(ours())])).toEqual([null, expect.stringMatching(/^SHA/)])
  })
})
