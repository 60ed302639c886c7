import type { paths } from '../lib/api-types.gen.ts'
import { api, ask } from './api.ts'

/** Anything of an app by what people have in hand. What is looked for stands in the body, and in no address. */
export type Found =
  paths['/api/2.0/user/apps/{appId}/search']['post']['responses'][200]['content']['application/json']['data']

export const searchApp = async (app: string, q: string): Promise<Found> =>
  (await ask(api.POST('/api/2.0/user/apps/{appId}/search', { params: { path: { appId: app } }, body: { q } }))).data

const ways: Readonly<Record<Found['orders'][number]['found_by'], string>> = {
  number: 'by its number',
  tracking_number: 'by a tracking number',
  email: 'by the customer’s email',
  phone: 'by the customer’s phone number',
  name: 'by the customer’s name',
}
export const foundBy = (order: Found['orders'][number]): string => ways[order.found_by]
