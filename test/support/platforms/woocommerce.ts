import type { PlatformFacts } from './platform-facts.ts'

export const facts: PlatformFacts = {
  withoutHeader: { keys_in_query: true },
  lacking: [[{ keys: 'read' }, /write \(.*REST API/]],
  switchOff: (id) => ({ method: 'PUT', path: `/wp-json/wc/v3/webhooks/${id}`, body: { status: 'disabled' } }),
  remove: (kind, id) => ({ method: 'DELETE', path: `/wp-json/wc/v3/${kind}s/${id}`, query: { force: 'true' } }),
  specifications: [
    {
      kind: 'wordpress',
      file: 'woocommerce/wc-v3-index-routes.json',
      base: '/wp-json/wc/v3',
      wrong: [
        {
          report: /query knows no (modified_after|modified_before|dates_are_gmt)$/,
          because: 'came with 5.8; the index is older',
        },
        { report: /query\/orderby must be equal to one of/, because: '"modified" came with 5.8; the index is older' },
        {
          report: /query knows no (_fields|consumer_key|consumer_secret|oauth_\w+)$/,
          because: 'taken everywhere, by WordPress or by the way keys are sent',
        },
        {
          report:
            /\{order_id\}\/fulfillments is not in|^(GET|POST|PUT|DELETE) \/orders\/\d+\/fulfillments(\/\d+)? is not in/,
          because: 'came with 10.1; the index is older',
        },
        { report: /\/refunds: body knows no api_restock$/, because: 'read by the controller; the index leaves it out' },
        { report: /^GET \/refunds is not in/, because: 'came with 9.0; the index is older' },
        { report: /^GET \/reports\/orders\/totals is not in/, because: 'came with 3.5; the index is older' },
        {
          report: /\/batch: body knows no (create|update|delete)$/,
          because: 'the index lists the fields of a single record in the place of the three lists',
        },
        {
          report: /body\/images must be object$/,
          because: 'a list of images, which the same index describes with `items`',
        },
      ],
    },
  ],
}
