import { type Change, type FollowOptions, follow } from './follow.ts'
import type { CallOptions, Http } from './http.ts'
import { type Listing, listing } from './lists.ts'
import type {
  Account,
  AnswerOf,
  App,
  BodyOf,
  Delivery,
  Flow,
  Integration,
  InventoryLevel,
  Order,
  Overview,
  Passport,
  Product,
  QueryOf,
  Run,
  Service,
  Shipment,
  Webhook,
  WebhookEventType,
} from './types.ts'

type Options = Pick<CallOptions, 'signal'>
type Changing = Pick<CallOptions, 'signal' | 'idempotencyKey'>
type Id = string | number
type Logo = AnswerOf<'/api/2.0/user/apps/{appId}/logo', 'post'>['data']
type Intent = AnswerOf<'/api/2.0/app/intent/{account}', 'post'>['data']

/** Of the answers of the service, which stand in `data`. */
const reader =
  (http: Http) =>
  async <T>(method: string, path: string, options: CallOptions = {}): Promise<T> =>
    ((await http.call(method, path, options)) as { data: T }).data

/** A picture as a form sends it. */
function logoForm(file: Blob): FormData {
  const form = new FormData()
  form.set('logo', file)
  return form
}

/** Apps and accounts see the same of shops, each below a path of its own. */
export type Group = '/api/2.0/app' | '/api/2.0/webcomponent'
/** A follower reads everything of one shop. */
type Followed = FollowOptions & { integration_id: Id }

function followed<T extends object>(http: Http, path: string, { integration_id, ...options }: Followed) {
  return follow<T>(http, path, { integration_id }, options)
}

type Wanted<Path extends keyof Gets> = QueryOf<Gets[Path], 'get'>
interface Gets {
  accounts: '/api/2.0/app/accounts'
  apps: '/api/2.0/user/apps'
  flows: '/api/2.0/app/flows'
  integrations: '/api/2.0/app/integrations'
  inventory: '/api/2.0/app/inventory'
  order: '/api/2.0/app/orders/{order}'
  orders: '/api/2.0/app/orders'
  product: '/api/2.0/app/products/{product}'
  products: '/api/2.0/app/products'
  runs: '/api/2.0/app/integrations/{integrationId}/runs'
  services: '/api/2.0/app/services'
  shipments: '/api/2.0/app/shipments'
}

/** Of which shop an order, and which of its orders. */
export interface OrderPlace {
  integration_id: Id
  id: Id
}

export function ordersOf(http: Http, group: Group) {
  const ask = reader(http)
  const at = ({ id }: OrderPlace, more = '') => `${group}/orders/${encodeURIComponent(id)}${more}`
  /** Changes the order in the shop, and answers with it. */
  const change =
    <Body>(step: string) =>
    ({ integration_id, id }: OrderPlace, body: Body, options: Changing = {}): Promise<Order> =>
      ask('POST', at({ integration_id, id }, step), { ...options, query: { integration_id }, body: body ?? {} })
  return {
    list: (query: Wanted<'orders'>, options: Options = {}): Listing<Order> =>
      listing(http, `${group}/orders`, query, options),
    get: ({ integration_id, id }: OrderPlace, query: Partial<Wanted<'order'>> = {}, options: Options = {}) =>
      ask<Order>('GET', at({ integration_id, id }), { ...options, query: { ...query, integration_id } }),
    /** What changes from now on, or since you were last here. */
    follow: (options: Followed): AsyncGenerator<Change<Order>, void, undefined> =>
      followed(http, `${group}/orders`, options),
    /** Every step of an order, with its time. */
    passport: ({ integration_id, id }: OrderPlace, options: Options = {}) =>
      ask<Passport>('GET', at({ integration_id, id }, '/passport'), { ...options, query: { integration_id } }),
    /** By its number, in all shops or in one. One that is not there is a `NotFoundError` with the reason. */
    find: (number: string, { integration_id, ...options }: Options & { integration_id?: Id } = {}) =>
      ask<Passport>('GET', `${group}/passport`, { ...options, query: { number, integration_id } }),
    refund: change<BodyOf<'/api/2.0/app/orders/{order}/refunds', 'post'>>('/refunds'),
    cancel: change<BodyOf<'/api/2.0/app/orders/{order}/cancel', 'post'> | undefined>('/cancel'),
    hold: change<BodyOf<'/api/2.0/app/orders/{order}/hold', 'post'>>('/hold'),
    release: change<BodyOf<'/api/2.0/app/orders/{order}/release', 'post'> | undefined>('/release'),
    capture: change<BodyOf<'/api/2.0/app/orders/{order}/capture', 'post'> | undefined>('/capture'),
    annotate: change<BodyOf<'/api/2.0/app/orders/{order}/annotations', 'post'>>('/annotations'),
    cancelShipment: change<BodyOf<'/api/2.0/app/orders/{order}/shipments/cancel', 'post'>>('/shipments/cancel'),
  }
}

export function productsOf(http: Http, group: Group) {
  return {
    list: (query: Wanted<'products'>, options: Options = {}): Listing<Product> =>
      listing(http, `${group}/products`, query, options),
    get: ({ integration_id, id }: OrderPlace, query: Partial<Wanted<'product'>> = {}, options: Options = {}) =>
      reader(http)<Product>('GET', `${group}/products/${encodeURIComponent(id)}`, {
        ...options,
        query: { ...query, integration_id },
      }),
    follow: (options: Followed): AsyncGenerator<Change<Product>, void, undefined> =>
      followed(http, `${group}/products`, options),
  }
}

export const inventoryOf = (http: Http, group: Group) => ({
  list: (query: Wanted<'inventory'>, options: Options = {}): Listing<InventoryLevel> =>
    listing(http, `${group}/inventory`, query, options),
  follow: (options: Followed): AsyncGenerator<Change<InventoryLevel>, void, undefined> =>
    followed(http, `${group}/inventory`, options),
})

export const shipmentsOf = (http: Http, group: Group) => ({
  list: (query: Wanted<'shipments'>, options: Options = {}): Listing<Shipment> =>
    listing(http, `${group}/shipments`, query, options),
  follow: (options: Followed): AsyncGenerator<Change<Shipment>, void, undefined> =>
    followed(http, `${group}/shipments`, options),
})

export function integrationsOf(http: Http, group: Group) {
  const ask = reader(http)
  const path = `${group}/integrations`
  return {
    list: (query: Wanted<'integrations'> = {}, options: Options = {}): Listing<Integration> =>
      listing(http, path, query, options),
    get: (id: Id, options: Options = {}) => ask<Integration>('GET', `${path}/${encodeURIComponent(id)}`, options),
    update: (id: Id, body: BodyOf<'/api/2.0/app/integrations/{integration}', 'put'>, options: Changing = {}) =>
      ask<Integration>('PUT', `${path}/${encodeURIComponent(id)}`, { ...options, body }),
    uninstall: (id: Id, options: Changing = {}) =>
      ask<Integration>('DELETE', `${path}/${encodeURIComponent(id)}`, options),
    /** Work in the shop: a sync, a change, a question. See the actions of its service. */
    act: (id: Id, body: BodyOf<'/api/2.0/app/integrations/{integrationId}/action', 'post'>, options: Changing = {}) =>
      http.call('POST', `${path}/${encodeURIComponent(id)}/action`, { ...options, body }),
    runs: (id: Id, query: Partial<Wanted<'runs'>> = {}, options: Options = {}): Listing<Run> =>
      listing(http, `${path}/${encodeURIComponent(id)}/runs`, query, options),
  }
}

/** What only a merchant does with a shop. */
export const ownIntegrationsOf = (http: Http) => ({
  ...integrationsOf(http, '/api/2.0/webcomponent'),
  /** PNG, JPEG, GIF or WebP; a `File` of a form, or a `Blob`. */
  setLogo: (id: Id, file: Blob, options: Changing = {}) =>
    reader(http)<Logo>('POST', `/api/2.0/webcomponent/integrations/${encodeURIComponent(id)}/logo`, {
      ...options,
      body: logoForm(file),
    }),
})

export function accountsOf(http: Http) {
  const ask = reader(http)
  const path = '/api/2.0/app/accounts'
  return {
    list: (query: Wanted<'accounts'> = {}, options: Options = {}): Listing<Account> =>
      listing(http, path, query, options),
    get: (account: string, options: Options = {}) =>
      ask<Account>('GET', `${path}/${encodeURIComponent(account)}`, options),
    create: (body: BodyOf<'/api/2.0/app/accounts', 'post'>, options: Changing = {}) =>
      ask<Account>('POST', path, { ...options, body }),
    /** A token with which a page of the merchant begins; it exchanges it once. */
    intent: (account: string, body: BodyOf<'/api/2.0/app/intent/{account}', 'post'>, options: Changing = {}) =>
      ask<Intent>('POST', `/api/2.0/app/intent/${encodeURIComponent(account)}`, { ...options, body }),
  }
}

export const servicesOf = (http: Http, group: Group) => ({
  list: (query: Wanted<'services'> = {}, options: Options = {}): Listing<Service> =>
    listing(http, `${group}/services`, query, options),
})

export const flowsOf = (http: Http) => ({
  list: (query: Wanted<'flows'> = {}, options: Options = {}): Listing<Flow> =>
    listing(http, '/api/2.0/app/flows', query, options),
})

export function appsOf(http: Http) {
  const ask = reader(http)
  const path = '/api/2.0/user/apps'
  const at = (id: Id, more = '') => `${path}/${encodeURIComponent(id)}${more}`
  return {
    list: (query: Wanted<'apps'> = {}, options: Options = {}): Listing<App> => listing(http, path, query, options),
    get: (id: Id, options: Options = {}) => ask<App>('GET', at(id), options),
    create: (body: BodyOf<'/api/2.0/user/apps', 'post'>, options: Changing = {}) =>
      ask<App>('POST', path, { ...options, body }),
    overview: (id: Id, query: QueryOf<'/api/2.0/user/apps/{appId}/overview', 'get'> = {}, options: Options = {}) =>
      ask<Overview>('GET', at(id, '/overview'), { ...options, query }),
    /** PNG, JPEG, GIF or WebP; a `File` of a form, or a `Blob`. */
    setLogo: (id: Id, file: Blob, options: Changing = {}) =>
      ask<Logo>('POST', at(id, '/logo'), { ...options, body: logoForm(file) }),
    webhooks: (id: Id) => webhooksOf(http, at(id, '/webhooks')),
  }
}

function webhooksOf(http: Http, path: string) {
  const ask = reader(http)
  const at = (id: Id, more = '') => `${path}/${encodeURIComponent(id)}${more}`
  type Created = Webhook & { secret: string }
  return {
    list: (options: Options = {}): Listing<Webhook> => listing(http, path, {}, options),
    /** The secret is in this answer only. */
    create: (body: BodyOf<'/api/2.0/user/apps/{appId}/webhooks', 'post'>, options: Changing = {}) =>
      ask<Created>('POST', path, { ...options, body }),
    update: (id: Id, body: BodyOf<'/api/2.0/user/apps/{appId}/webhooks/{webhook}', 'put'>, options: Changing = {}) =>
      ask<Webhook>('PUT', at(id), { ...options, body }),
    delete: (id: Id, options: Changing = {}) => http.call('DELETE', at(id), options),
    rotateSecret: (id: Id, options: Changing = {}) => ask<Created>('POST', at(id, '/rotate-secret'), options),
    /** A sample of an event, or a message of its own where none is named. */
    test: (id: Id, type?: WebhookEventType, options: Changing = {}) =>
      ask<Delivery>('POST', at(id, '/test'), { ...options, body: type === undefined ? {} : { type } }),
  }
}
