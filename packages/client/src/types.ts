import type { components, paths, webhooks } from './api.gen.ts'
import type { QueryValue } from './http.ts'

/** The records, by their names in the OpenAPI document. */
type Schemas = components['schemas']
export type Account = Schemas['Account']
export type App = Schemas['App']
export type Client = Schemas['Client']
export type Delivery = Schemas['Delivery']
export type Flow = Schemas['Flow']
export type InboundDelivery = Schemas['InboundDelivery']
export type Integration = Schemas['Integration']
export type InventoryLevel = Schemas['InventoryLevel']
export type LogEntry = Schemas['LogEntry']
export type Order = Schemas['Order']
export type OrderLine = Schemas['OrderLine']
export type Overview = Schemas['Overview']
export type Passport = Schemas['Passport']
export type Product = Schemas['Product']
export type Run = Schemas['Run']
export type Schedule = Schemas['Schedule']
export type Service = Schemas['PublicService']
export type Shipment = Schemas['Shipment']
export type User = Schemas['User']
export type Webhook = Schemas['Webhook']

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends object ? P : never
}[keyof paths]

type Operation<P extends keyof paths, M extends Method> = Extract<paths[P][M], object>

/** What stands in braces in a path. */
export type PathParams<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { parameters: { path: infer Params extends object } }
    ? { [Name in keyof Params]: string | number }
    : Record<never, never>

/** Lists separated by commas may be arrays, times may be dates. */
export type QueryOf<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { parameters: { query?: infer Params } }
    ? { [Name in keyof Params]: QueryValue }
    : Record<never, never>

type RequestOf<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody?: infer Request } ? Exclude<Request, undefined> : never

export type BodyOf<P extends keyof paths, M extends Method> = [RequestOf<P, M>] extends [never]
  ? undefined
  : RequestOf<P, M> extends { content: { 'application/json': infer Body } }
    ? Body
    : FormData

type Success<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 ? JsonOf<Responses[Status]> : never
}[keyof Responses]
type JsonOf<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : undefined

export type AnswerOf<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer Responses } ? Success<Responses> : never

type Posted<Name extends keyof webhooks> = webhooks[Name] extends {
  post: { requestBody: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

/** Everything that a webhook may be sent; `event.type` tells which it is. */
export type WebhookEvent = { [Name in keyof webhooks]: Posted<Name> }[keyof webhooks]
export type WebhookEventType = WebhookEvent['type']
export type WebhookEventOf<Type extends WebhookEventType> = Extract<WebhookEvent, { type: Type }>
