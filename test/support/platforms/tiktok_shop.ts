import { openSimulator } from '../../../src/simulator/simulator.ts'
import type { VendorSpecification } from '../checkers/checker.ts'
import type { PlatformFacts } from './platform-facts.ts'

/** Messages are signed for the app, its key in what is signed. */
const { client } = openSimulator({ platform: 'tiktok_shop', orders: 1, products: 1 }).install

const about = (file: string): VendorSpecification => ({
  kind: 'openapi',
  file: `tiktok-shop/${file}.json`,
  base: new RegExp(`^(?=/${file}/)`),
  wrong: [
    {
      report: /the parameter (app_key|timestamp|sign) is unknown/,
      because: 'Every call carries them, and the files leave them out.',
    },
  ],
})

export const facts: PlatformFacts = {
  lacking: [
    [{ lacks: 'orders' }, /seller\.order\.info.*Manage API/],
    [{ lacks: 'products' }, /seller\.product\.basic/],
    [{ lacks: 'warehouses' }, /seller\.logistics/],
  ],
  specifications: ['order', 'product', 'fulfillment', 'logistics', 'return_refund', 'event', 'authorization'].map(
    about,
  ),
  secrets: (secret) => ({ registration: [], client: { ...client, app_secret: secret } }),
}
