import type { PlatformDefinition } from '../platform.ts'
import { amazon } from './amazon/index.ts'
import { bigcommerce } from './bigcommerce/index.ts'
import { custom } from './custom/index.ts'
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

/** By the type of the connector that speaks to it. */
export const platforms: Readonly<Record<string, PlatformDefinition>> = {
  ...{ amazon, bigcommerce, custom, ebay, etsy, magento, medusa, prestashop },
  ...{ sandbox, shopify, squarespace, tiktok_shop: tiktokShop, vendure, walmart, wix, woocommerce },
}
