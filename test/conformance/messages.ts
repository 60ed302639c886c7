import { expect, test } from 'vitest'
import { capabilitiesOf } from '../../src/commerce/capabilities.ts'
import { webhookTopics } from '../../src/commerce/connector/webhooks.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import { openReceiver } from '../simulator/receiver.ts'
import type { ConformanceShop } from '../support/conformance-shops.ts'
import type { Tried } from './tried.ts'

/** Messages of the shop: asked for, believed if they are genuine, and no longer asked for. */
export function messagesAreTrusted({ connector, at, writing }: Tried): void {
  writing('messages are asked for once, distinguished from forged ones, and understood', async () => {
    const { shop, stand } = at()
    const { webhooks } = connector
    if (webhooks?.registration.kind !== 'api' || !stand.change) return cannotRegister(connector, stand)
    const { registration, topics } = webhooks
    const receiver = await openReceiver()
    // Some platforms make the secret themselves, and tell it once.
    let secret = 'ours'
    const keepSecret = async (theirs: string) => {
      secret = theirs
    }
    const known = webhookTopics.filter((topic) => topics[topic])
    const wanted = { url: receiver.url, topics: known, secret, keepSecret }
    const made = await registration.register(shop, wanted)
    expect(made.length).toBeGreaterThan(0)
    expect(await registration.register(shop, wanted)).toEqual(made)
    expect(await registration.list(shop)).toHaveLength(made.length)
    stand.change()
    await stand.simulator?.delivered()
    const deliveries = receiver.received.map(({ headers, body }) => ({
      method: 'POST',
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      query: {},
      raw: Buffer.from(body),
    }))
    const secrets = { registration: [secret], client: stand.client ?? {} }
    const real = deliveries.filter((delivery) => !webhooks.handshake?.(delivery, secrets))
    expect(real.length).toBeGreaterThan(0)
    for (const delivery of real) {
      expect(webhooks.verify(delivery, secrets)).toBe(true)
      expect(webhooks.verify(delivery, { ...secrets, registration: ['before', secret] })).toBe(true)
      expect(webhooks.verify(delivery, { registration: ['other', ''], client: {} })).toBe(false)
      expect(webhooks.verify(delivery, { registration: [], client: {} })).toBe(false)
      expect(webhooks.verify({ ...delivery, headers: {} }, secrets)).toBe(false)
      expect(webhooks.verify({ ...delivery, raw: Buffer.concat([delivery.raw, Buffer.from(' ')]) }, secrets)).toBe(
        false,
      )
      const reading = webhooks.read(delivery, shop)
      expect(webhooks.read(delivery, shop)).toEqual(reading)
      expect(reading.deliveryId).not.toBe('')
      for (const { kind, remoteId, raw } of reading.changes) {
        // Also of one of its variations: what is sold under it is a product that can be read.
        if (kind === 'product' && connector.products?.get)
          expect(await connector.products.get(shop, remoteId)).not.toBeNull()
        if (kind !== 'order') continue
        const order = connector.orders?.translate(await connector.orders.get(shop, remoteId), shop)
        expect(order?.remote_id).toBe(remoteId)
        if (raw !== null) expect(connector.orders?.translate(raw, shop).remote_id).toBe(remoteId)
      }
    }
    for (const { remoteId } of made) await registration.remove(shop, remoteId)
    for (const { remoteId } of made) await registration.remove(shop, remoteId)
    expect(await registration.list(shop)).toEqual([])
    await receiver.close()
  })

  test('genuine messages are distinguished from forged ones, and understood', async () => {
    const { shop, stand } = at()
    const { webhooks } = connector
    if (!webhooks || !stand.platform?.messages) return cannotRegister(connector, stand)
    const { messages, secrets: secretsOf, unsigned, signsInBody } = stand.platform
    const secrets = secretsOf?.('ours') ?? { registration: ['ours'], client: {} }
    const others = secretsOf?.('theirs') ?? { registration: ['theirs'], client: {} }
    const genuine = messages('ours')
    expect(genuine.length).toBeGreaterThan(0)
    for (const delivery of genuine) {
      expect(webhooks.verify(delivery, secrets)).toBe(true)
      expect(webhooks.verify(delivery, others)).toBe(false)
      expect(webhooks.verify(delivery, { registration: [], client: {} })).toBe(false)
      expect(webhooks.verify({ ...delivery, headers: {} }, secrets)).toBe(signsInBody === true)
      const reading = webhooks.read(delivery, shop)
      const longer = { ...delivery, raw: Buffer.concat([delivery.raw, Buffer.from(' ')]) }
      // What no signature covers may name a record, and nothing of it is believed.
      if (unsigned) expect(reading.changes.map(({ raw }) => raw)).toEqual(reading.changes.map(() => null))
      else expect(webhooks.verify(longer, secrets)).toBe(false)
      expect(webhooks.read(delivery, shop)).toEqual(reading)
      expect(reading.deliveryId).not.toBe('')
    }
  })

  writing('what is registered for messages is there, once, and can be removed', async () => {
    const { shop, stand } = at()
    const { webhooks } = connector
    if (webhooks?.registration.kind !== 'api' || !stand.platform) return cannotRegister(connector, stand)
    const { registration, topics } = webhooks
    const url = 'https://entrepot.example/api/1.0/webhook_callback/type/1/shop'
    const wanted = { url, topics: webhookTopics.filter((topic) => topics[topic]), secret: 'ours' }
    const made = await registration.register(shop, wanted)
    expect(made.length).toBeGreaterThan(0)
    expect(await registration.register(shop, wanted)).toEqual(made)
    expect((await registration.list(shop)).filter((one) => one.url === url)).toHaveLength(made.length)
    for (const { remoteId } of made) await registration.remove(shop, remoteId)
    for (const { remoteId } of made) await registration.remove(shop, remoteId)
    expect((await registration.list(shop)).filter((one) => one.url === url)).toEqual([])
  })

  writing('those of two integrations are kept apart, and one that is switched off is still shown', async () => {
    const { shop, stand } = at()
    const { webhooks } = connector
    if (webhooks?.registration.kind !== 'api' || !stand.platform) return cannotRegister(connector, stand)
    const { registration, topics } = webhooks
    const plain = 'https://entrepot.example/api/1.0/webhook_callback/type/1/two'
    const own = async (url: string) => (await registration.list(shop)).filter((one) => one.url === url)
    const wanted = { topics: webhookTopics.filter((topic) => topics[topic]), secret: 'ours' }
    const [first] = await registration.register(shop, { ...wanted, url: plain })
    const others = await registration.register(shop, { ...wanted, url: `${plain}?integration=2` })
    if (stand.platform.switchOff && first) {
      await shop.remote.request(stand.platform.switchOff(first.remoteId))
      expect((await own(plain)).filter(({ active }) => !active)).toEqual([{ ...first, active: false }])
    }
    for (const { remoteId } of await own(plain)) await registration.remove(shop, remoteId)
    expect(await own(plain)).toEqual([])
    const left = await own(`${plain}?integration=2`)
    expect(left.map(({ remoteId }) => remoteId).sort()).toEqual(others.map(({ remoteId }) => remoteId).sort())
    const ids = left.map(({ remoteId }) => remoteId)
    if (registration.removeAll) for (const _ of [1, 2]) await registration.removeAll(shop, ids)
    for (const id of registration.removeAll ? [] : ids) await registration.remove(shop, id)
    expect(await own(`${plain}?integration=2`)).toEqual([])
  })
}

/** Nobody is promised messages of a platform that cannot be asked for them: where it can, only the shop at hand cannot. */
function cannotRegister(connector: Connector, { change, platform }: ConformanceShop): void {
  const { webhooks } = connector
  if (webhooks === undefined) expect(capabilitiesOf(connector).webhooks).toEqual([])
  else if (webhooks.registration.kind !== 'api') expect(capabilitiesOf(connector).webhooks).not.toEqual([])
  else expect([change ?? null, platform ?? null]).toContain(null)
}
