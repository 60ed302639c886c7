import { ask } from '../lib/ask.ts'
import type { FormValues } from '../parts/schema-form.ts'
import type { Client } from './embedded.ts'

/** What `<entrepot-connect>` asks the service. */

export interface Values {
  name: string
  shop: string
  settings: FormValues
  credentials: FormValues
}

export const noValues = (): Values => ({ name: '', shop: '', settings: {}, credentials: {} })

export type Service = Awaited<ReturnType<typeof readServices>>[number]

/** Those that can be connected here at all. */
export async function readServices(client: Client) {
  const query = { per_page: 100, sort: 'name' } as const
  const { data } = await ask(client.GET('/api/2.0/webcomponent/services', { params: { query } }))
  const able = data.filter(({ installed_by: ways }) => ways.length > 0)
  // eBay is found where people look for it, whatever the capitals.
  return able.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

const at = (integrationId: string) => ({ params: { path: { integrationId } } })

export async function readIntegration(client: Client, id: string) {
  const { data } = await ask(client.GET('/api/2.0/webcomponent/integrations/{integrationId}', at(id)))
  return data
}

/** Connections of this merchant to the shop that was typed. */
export async function connectedAlready(client: Client, { type }: Service, shop: string) {
  const query = { type, shop, per_page: 10 }
  const { data } = await ask(client.GET('/api/2.0/webcomponent/integrations', { params: { query } }))
  return data.filter(({ status }) => status !== 'UNINSTALLED')
}

export async function install(client: Client, service: Service, values: Values, byKeys: boolean) {
  const { name, credentials, shop, settings } = values
  const { data } = await ask(
    client.POST('/api/2.0/webcomponent/service/{resource}/install', {
      params: { path: { resource: service.type } },
      body: { name: name || service.name, shop, settings, ...(byKeys && { credentials }) },
    }),
  )
  return data
}

/** New keys for a shop that is there already. */
export async function installAgain(client: Client, id: string, credentials: FormValues) {
  const { data } = await ask(
    client.POST('/api/2.0/webcomponent/integrations/{integrationId}/install', { ...at(id), body: { credentials } }),
  )
  return data
}

/** Where the merchant allows access to a shop that is there already. */
export async function authorizationUrl(client: Client, id: string): Promise<string> {
  const { data } = await ask(
    client.POST('/api/2.0/webcomponent/integrations/{integrationId}/authorization', { ...at(id), body: {} }),
  )
  return data.authorization_url
}

/** A shop that was let in from the platform's own pages, by the code that was shown there. */
export async function claim(client: Client, code: string) {
  const { data } = await ask(client.POST('/api/2.0/webcomponent/arrivals/claim', { body: { code } }))
  return data
}
