import type { Connectors } from '../commerce/connectors.ts'
import { amazon } from './amazon/index.ts'
import { bigcommerce } from './bigcommerce/index.ts'
import { customConnector } from './custom/index.ts'
import { ebay } from './ebay/index.ts'
import { etsy } from './etsy/index.ts'
import { magento } from './magento/index.ts'
import { medusa } from './medusa/index.ts'
import { prestashop } from './prestashop/index.ts'
import { sandbox } from './sandbox/index.ts'
import { shopify } from './shopify/index.ts'
import { squarespace } from './squarespace/index.ts'
import { tiktokShop } from './tiktok_shop/index.ts'
import { vendure } from './vendure/index.ts'
import { walmart } from './walmart/index.ts'
import { wix } from './wix/index.ts'
import { woocommerce } from './woocommerce/index.ts'

/** Every connector there is, one line each. A folder that is not listed here is reported by the import check. */
const byType = new Map(
  [
    ...[amazon, medusa, sandbox, bigcommerce, shopify, vendure, walmart, woocommerce, magento, prestashop, ebay, etsy],
    ...[squarespace, tiktokShop, wix],
  ].map((connector) => [connector.type, connector]),
)

/** These, and what tenants have described. */
export const connectors: Connectors = Object.assign(byType, { define: customConnector })
