import { createHash } from 'node:crypto'
import { itemOf } from './item.ts'
import { type Json, listOf, plain } from './json.ts'
import { tokenFolder } from './tokens.ts'

/**
 * The API as a collection of Postman (format 2.1, which Bruno, Insomnia and others import as well), read off the OpenAPI document:
 * one folder for each group, one request for each operation. What differs from one user to the next is a variable of the environment.
 */
export function collectionOf(document: Json): Json {
  const info = plain(document['info'])
  const operations = Object.entries(plain(document['paths'])).flatMap(([path, item]) =>
    Object.entries(plain(item)).map(([method, operation]) => ({ path, method, operation: plain(operation) })),
  )
  const folders = listOf(document['tags'])
    .map(plain)
    .flatMap(({ name, description }) => {
      const own = operations.filter(({ operation }) => listOf(operation['tags']).includes(name))
      return own.length === 0 ? [] : [{ name, description, item: own.map((one) => itemOf(document, one)) }]
    })
  return {
    info: {
      _postman_id: idOf('collection'),
      name: info['title'],
      description: info['description'],
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'noauth' },
    item: [tokenFolder, ...folders],
  }
}

/** What the requests of the collection need; what is secret is marked, so that it is neither shown nor shared. */
export function environmentOf(title: string, baseUrl: string): Json {
  const value = (key: string, initial = '') => ({ key, value: initial, type: 'default', enabled: true })
  const secret = (key: string) => ({ key, value: '', type: 'secret', enabled: true })
  return {
    id: idOf('environment'),
    name: title,
    values: [
      value('base_url', baseUrl),
      value('client_id'),
      secret('client_secret'),
      value('username'),
      secret('password'),
      value('app_id'),
      value('account'),
      value('integration_id'),
      secret('gateway_key'),
      secret('client_token'),
      secret('user_token'),
      secret('intent_token'),
      secret('account_token'),
    ],
    _postman_variable_scope: 'environment',
  }
}

/** The same in every instance: who imports it again replaces what was there. */
function idOf(what: string): string {
  const hex = createHash('sha256').update(`entrepot ${what}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
