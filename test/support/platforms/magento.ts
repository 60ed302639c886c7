import type { VendorSpecification } from '../checkers/checker.ts'
import type { PlatformFacts } from './platform-facts.ts'

const wrong = [
  {
    report: /parameter searchCriteria\[(filterGroups|sortOrders)\]\[[1-9]\]/,
    because: 'the file names only the first filter and the first order of each search',
  },
  {
    report: /POST \/V1\/inventory\/source-items: answer must be object/,
    because: 'the file describes failures alone; what was saved is answered with an empty list',
  },
  { report: /the parameter fields is unknown/, because: 'every operation takes it; the file leaves it out' },
]

export const facts: PlatformFacts = {
  skusOnce: 'a SKU is the name of a product',
  withoutHeader: 'said',
  lacking: [
    [{ lacks: 'Magento_Sales::actions_view' }, /Magento_Sales::actions_view.*Integrations/],
    [{ lacks: 'Magento_Sales::cancel' }, /Magento_Sales::cancel/],
    [{ lacks: 'Magento_Sales::ship' }, /Magento_Sales::ship\./],
    [{ lacks: 'Magento_Catalog::products' }, /Magento_Catalog::products/],
    [{ lacks: 'Magento_InventoryApi::source' }, /Magento_InventoryApi::source/],
    [{ lacks: 'Magento_Backend::store', keys: 'bearer' }, /Magento_Backend::store/],
  ],
  specifications: [{ kind: 'openapi', file: 'magento/admin-schema-2.4.9.yaml', base: '/rest/all', wrong }],
  cancels: 'unpaid',
}

/** The Cloud Service is described apart. */
export const serviceSpecification: VendorSpecification = {
  ...{ kind: 'openapi', file: 'magento/accs-schema.yaml', base: '/tenant-1', wrong },
}
