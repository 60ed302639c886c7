import type { Call, RouteRow } from '../../http/route.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { pageOf } from './reply.ts'

const made = { date_created: '2024-05-14T09:34:00Z', date_modified: '2024-05-14T09:34:00Z' }
const shown = { is_listable_from_ui: true, is_visible: true, external_id: '', icon_url: '' }

/** Every store has the first one. */
const main = { id: 1, name: 'Harbour', type: 'storefront', platform: 'bigcommerce', status: 'active' }
const outlet = { id: 664_179, name: 'Harbour Outlet', type: 'storefront', platform: 'catalyst', status: 'active' }

/** Every fourth buyer came to the second storefront. What others make comes to the first. */
export const channelOf = ({ index, reference }: ShopOrder): number =>
  (reference === null && index % 4 === 3 ? outlet : main).id

const list = (call: Call) => pageOf(call, [main, outlet], (channel) => ({ ...channel, ...shown, ...made }))

export const channelRoutes: readonly RouteRow[] = [['GET', '/v3/channels', 'channels.list', list]]
