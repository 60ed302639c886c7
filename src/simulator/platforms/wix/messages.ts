import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { inMicroseconds } from '../../clock.ts'
import type { Message } from '../../platform.ts'
import { locations } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { itemIdOf, orderIdOf, productIdOf } from './ids.ts'

const pairs = new Map<string, { publicKey: KeyObject; privateKey: KeyObject }>()

/** A pair for each app. They are made anew by every process: whoever installs is told the public half. */
function pairOf(app: string) {
  const pair = pairs.get(app) ?? generateKeyPairSync('rsa', { modulusLength: 2048 })
  pairs.set(app, pair)
  return pair
}

export const publicKeyOf = (app: string): string =>
  pairOf(app).publicKey.export({ format: 'pem', type: 'spki' }).toString()

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

interface News {
  eventType: string
  entityFqdn: string
  slug: string
  entityId: string
}

const ofOrder = (index: number, slug: string): News => ({
  ...{ eventType: `wix.ecom.v1.order_${slug}`, entityFqdn: 'wix.ecom.v1.order', slug, entityId: orderIdOf(index) },
})
const ofProduct = (index: number, slug: string): News => ({
  eventType: `wix.stores.catalog.v3.product_${slug}`,
  ...{ entityFqdn: 'wix.stores.catalog.v3.product', slug, entityId: productIdOf(index) },
})
const ofItem = (entityId: string): News => ({
  eventType: 'wix.stores.catalog.v3.inventory_item_updated',
  ...{ entityFqdn: 'wix.stores.catalog.v3.inventory_item', slug: 'updated', entityId },
})

/**
 * Wix sends to addresses that apps enter on its own pages: the variant `webhook_url`. A message is one signed text (RS256), in
 * which two texts are packed into one another.
 */
export function createMessages({ settings, shop, courier, clock, secretFor }: World, instanceId: string) {
  let sent = 0

  function signed(app: string, eventType: string, data: object): string {
    const iat = Math.floor(Date.now() / 1000)
    const packed = { eventType, instanceId, data: JSON.stringify(data), identity: '{"identityType":"WIX_USER"}' }
    const text = `${encoded({ kid: secretFor('kid', 8), alg: 'RS256' })}.${encoded({
      ...{ data: JSON.stringify(packed), iat, exp: iat + 3600 },
    })}`
    return `${text}.${createSign('RSA-SHA256').update(text).sign(pairOf(app).privateKey).toString('base64url')}`
  }
  function message(app: string, { eventType, ...news }: News): Message & { id: string } {
    const id = `${secretFor(`message ${++sent}`, 8)}-0000-4000-8000-${secretFor(`message id ${sent}`, 12)}`
    const event = { id, ...news, eventTime: inMicroseconds(clock.now()), entityEventSequence: String(sent) }
    return { id, headers: { 'content-type': 'text/plain' }, body: signed(app, eventType, event) }
  }
  const removed = (app: string): Message => ({
    headers: { 'content-type': 'text/plain' },
    body: signed(app, 'AppRemoved', { appId: secretFor('app', 8) }),
  })

  const { webhook_url: url } = settings.variant
  const tell = (news: News) => {
    if (url === undefined) return
    const { id, headers, body } = message('app', news)
    const subject = `${news.entityFqdn} ${news.entityId}`
    courier.send({ topic: news.eventType, subject, delivery: id, url, headers, body, done: () => {} })
  }
  shop.book.onChange(({ kind, index }) => {
    if (kind === 'deleted') return
    if (kind === 'created') tell(ofOrder(index, 'created'))
    else if (kind === 'cancelled') tell(ofOrder(index, 'canceled'))
    else if (kind === 'sent') {
      const fqdn = 'wix.ecom.v1.fulfillments'
      tell({ eventType: `${fqdn}_updated`, entityFqdn: fqdn, slug: 'updated', entityId: orderIdOf(index) })
    } else tell(ofOrder(index, 'updated'))
  })
  shop.stockroom.onChange((news) => {
    const { kind, product } = news
    tell(kind === 'stock' ? ofItem(itemIdOf(news.variant, news.place)) : ofProduct(product.index, kind))
  })
  return (app: string): readonly Message[] => {
    const [variant] = shop.stockroom.variantsByChange()
    const item = variant ? [ofItem(itemIdOf(variant, locations.length - 1))] : []
    const orders = ['created', 'approved', 'updated', 'canceled', 'unheard_of'].map((slug) => ofOrder(0, slug))
    const products = ['created', 'updated', 'deleted'].map((slug) => ofProduct(0, slug))
    return [...[...orders, ...products, ...item].map((news) => message(app, news)), removed(app)]
  }
}
