import type { paths } from './api.gen.ts'
import { type CallOptions, type ClientOptions, createHttp, type Http } from './http.ts'
import {
  accountsOf,
  appsOf,
  flowsOf,
  type Group,
  integrationsOf,
  inventoryOf,
  ordersOf,
  ownIntegrationsOf,
  productsOf,
  servicesOf,
  shipmentsOf,
} from './resources.ts'
import type { AccountAuth, AccountOfAppAuth, AppAuth, TokenAuth, UserAuth } from './tokens.ts'
import type { AnswerOf, BodyOf, Method, PathOf, PathParams, QueryOf } from './types.ts'

export * from './errors.ts'
export type { Change, Cursor, CursorStore, FollowOptions } from './follow.ts'
export type { Attempt, CallOptions, ClientOptions } from './http.ts'
export type { Listing, Page } from './lists.ts'
export type { OrderPlace } from './resources.ts'
export type * from './tokens.ts'
export type * from './types.ts'

type With<A> = Omit<ClientOptions, 'auth'> & { auth: A | TokenAuth }

/** Client software, with the id and secret of its client. */
export function createClient(options: With<AppAuth>) {
  const http = createHttp(options)
  const group = '/api/2.0/app'
  return { ...shopsOf(http, group), accounts: accountsOf(http), flows: flowsOf(http), call: callBy(http) }
}

/** One merchant: your server acting for an account, or the page that shows it. */
export function createAccountClient(options: With<AccountAuth | AccountOfAppAuth>) {
  const http = createHttp(options)
  return {
    ...shopsOf(http, '/api/2.0/webcomponent'),
    integrations: ownIntegrationsOf(http),
    call: callBy(http),
  }
}

/** A person: apps, webhooks, and what administers them. */
export function createUserClient(options: With<UserAuth>) {
  const http = createHttp(options)
  return { apps: appsOf(http), call: callBy(http) }
}

export type EntrepotClient = ReturnType<typeof createClient>
export type EntrepotAccountClient = ReturnType<typeof createAccountClient>
export type EntrepotUserClient = ReturnType<typeof createUserClient>

const shopsOf = (http: Http, group: Group) => ({
  integrations: integrationsOf(http, group),
  inventory: inventoryOf(http, group),
  orders: ordersOf(http, group),
  products: productsOf(http, group),
  services: servicesOf(http, group),
  shipments: shipmentsOf(http, group),
})

type Given<P extends keyof paths, M extends Method> = Omit<CallOptions, 'query' | 'body'> & {
  query?: QueryOf<P, M>
} & (keyof PathParams<P, M> extends never ? { path?: never } : { path: PathParams<P, M> }) &
  (undefined extends BodyOf<P, M> ? { body?: BodyOf<P, M> } : { body: BodyOf<P, M> | FormData })

/** Any operation of the OpenAPI document, by its method and path; the answer as it comes. */
const callBy =
  (http: Http) =>
  async <M extends Method, P extends PathOf<M>>(method: M, path: P, given?: Given<P, M>): Promise<AnswerOf<P, M>> => {
    const { path: params = {}, ...options } = (given ?? {}) as CallOptions & { path?: Record<string, string | number> }
    const filled = String(path).replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = params[name]
      if (value === undefined) throw new TypeError(`The path needs ${name}.`)
      return encodeURIComponent(value)
    })
    return (await http.call(method, filled, options)) as AnswerOf<P, M>
  }
