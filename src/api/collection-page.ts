import type { Endpoint } from '../runtime/http/endpoint.ts'
import type { PageRoute } from '../runtime/http/page.ts'
import { collectionOf, environmentOf } from './collection/collection.ts'
import { apiDocument } from './openapi-page.ts'

/** The API for programs that send requests by hand: a collection, and the environment that goes with it. */
export function collectionPages(endpoints: readonly Endpoint[], publicUrl: string): PageRoute[] {
  let text: string | undefined
  const file = (name: string) => ({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  })
  return [
    {
      path: '/api/docs/collection.json',
      // As large as the document it is made of.
      weight: 20,
      handle: async () => {
        text ??= JSON.stringify(collectionOf(apiDocument(endpoints)))
        return { status: 200, headers: file('entrepot.postman_collection.json'), body: text }
      },
    },
    {
      path: '/api/docs/environment.json',
      handle: async () => ({
        status: 200,
        headers: file('entrepot.postman_environment.json'),
        body: JSON.stringify(environmentOf('Entrepot', publicUrl)),
      }),
    },
  ]
}
