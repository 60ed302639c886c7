import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { customerErasure, customerExport, customerFind, findErasureOf, oneErasure } from '../includes/of-customers.ts'

const reading = { group: groups.webcomponent, scope: 'webcomponent:integration-read' } as const

const find = endpoint({ ...reading, path: '/customers/find', find: async ({ caller }) => caller, ...customerFind })

const exported = endpoint({
  ...reading,
  path: '/customers/export',
  find: async ({ caller }) => caller,
  ...customerExport,
})

const erase = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-event',
  path: '/customers/erasures',
  find: async ({ caller }) => caller,
  ...customerErasure,
})

const erasure = endpoint({
  ...reading,
  path: '/customers/erasures/{erasure}',
  find: async ({ context, caller, params }) => await findErasureOf(context, caller, params.erasure),
  ...oneErasure,
})

export const webcomponentCustomers = [find, exported, erase, erasure]
