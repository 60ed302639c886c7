import type { PlatformFacts } from './platform-facts.ts'

/** The file is of 2.0.0. */
const wrong = [
  {
    report: /customers: answer\/customers must be object/,
    because: 'the list of customers is described as one customer',
  },
  { report: /location-levels\/batch is not in/, because: 'the route came later; the js-sdk of 2.21.2 has it' },
  {
    report: /fulfillments: body must have required property 'location_id'/,
    because: 'its own description says what happens without',
  },
  {
    report: /\/(captured_at|shipped_at|delivered_at|canceled_at|metadata) must be/,
    because: 'what has not happened, and what nobody has noted, is null',
  },
  {
    report: /prices\/\d+\/(min_quantity|max_quantity) must be/,
    because: 'a price for any number of pieces has null there',
  },
  {
    report: /payment_collections\/\d+\/status must be equal/,
    because: 'a collection that is paid in full is called completed by now',
  },
  {
    report: /: answer.* must have required property/,
    because: 'whoever names fields gets no others, and answers to changes leave some out',
  },
]

export const facts: PlatformFacts = {
  skusOnce: 'variants and inventory items have an index that lets each be there once',
  withoutHeader: 'said',
  lacking: [
    [{ lacks: 'orders' }, /orders \(read\), orders \(update\).*Roles/],
    [{ lacks: 'products' }, /products \(read\)/],
  ],
  specifications: [{ kind: 'openapi', file: 'medusa/admin.openapi.full.yaml', base: '', wrong }],
}
