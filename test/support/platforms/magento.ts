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
  specifications: [{ kind: 'openapi', file: 'magento/admin-schema-2.4.9.yaml', base: '/rest/all', wrong }],
  cancels: 'unpaid',
}

/** The Cloud Service is described apart. */
export const serviceSpecification: VendorSpecification = {
  ...{ kind: 'openapi', file: 'magento/accs-schema.yaml', base: '/tenant-1', wrong },
}
