import { bigcommerce } from '../../src/connectors/bigcommerce/index.ts'
import type { Credentials, Settings } from '../../src/connectors/bigcommerce/settings.ts'
import { type ImitationOptions, openImitation } from './imitation.ts'

export const facts = { shop: 'store-abc123.mybigcommerce.com', settings: {} }
export const query = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

export const open = (options: ImitationOptions = {}) => openImitation<Settings, Credentials>(bigcommerce, options)

/** A product of its own in the shop, with one article. */
export const put = ({ simulator }: ReturnType<typeof open>, sku: string) =>
  simulator.world.shop.stockroom.add({
    ...{ title: `Thing ${sku}`, html: '', status: 'active', images: [] },
    variants: [{ sku, title: 'Default Title', price: 1000, stock: 3 }],
  })
