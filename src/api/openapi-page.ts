import type { Endpoint } from '../runtime/http/endpoint.ts'
import { type ApiFacts, openApiDocument } from '../runtime/http/openapi/openapi.ts'
import { sharingParts } from '../runtime/http/openapi/shared-parts.ts'
import type { PageRoute } from '../runtime/http/server.ts'
import { openApiWebhooks } from './openapi-webhooks.ts'
import { schemaNames } from './schema-names.ts'

const apiFacts: ApiFacts = {
  title: 'Entrepot',
  version: '2.0',
  description: [
    'Integration service for commerce. Client software registers as an *app*, its merchants are *accounts*, each of',
    'their shops on an outside *service* is an *integration*: orders, products, stock and shipments flow both ways.',
    '',
    'Version 2.0 has three groups, each opened by its own kind of token: USER (password grant), APP (client',
    'credentials) and WEBCOMPONENT (account token). Version 1.0 is legacy and works on the same data.',
  ].join('\n'),
}

/** All there is to say: what can be called, and what we call. */
export function apiDocument(endpoints: readonly Endpoint[]): Record<string, unknown> {
  const document = openApiDocument(endpoints, apiFacts)
  const tags = Array.isArray(document['tags']) ? document['tags'] : []
  const webhooksTag = { name: 'Webhooks', description: 'What we post to the webhooks of apps.' }
  return withoutMarks(
    sharingParts({ ...document, tags: [...tags, webhooksTag], webhooks: openApiWebhooks() }, schemaNames),
  )
}

/** What of a call is kept is our business, and stands at every other text. */
const withoutMarks = (document: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(document, (name, value: unknown) => (name === 'x-logged' ? undefined : value)))

export function openApiPage(endpoints: readonly Endpoint[]): PageRoute {
  let text: string | undefined
  return {
    path: '/api/openapi.json',
    // A megabyte.
    weight: 20,
    handle: async () => {
      text ??= JSON.stringify(apiDocument(endpoints))
      return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: text }
    },
  }
}
