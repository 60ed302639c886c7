import type { PlatformFacts } from './platform-facts.ts'

export const facts: PlatformFacts = {
  lacking: [
    [{ lacks: 'transactions' }, /transactions_r, transactions_w.*connected again/],
    [{ lacks: 'listings_w' }, /listings_w/],
  ],
  specifications: [
    {
      kind: 'openapi',
      file: 'etsy/etsy-oas-3.0.0.2024-01-14.json',
      base: '',
      wrong: [
        {
          report: /the parameter listing_ids is unknown/,
          because: 'The file is of January 2024; the batch of inventories came in 2026, in the place of an include.',
        },
        {
          report: /: includes\/0 must be equal/,
          because: 'A list is one parameter with commas, which is told to be an array.',
        },
      ],
    },
  ],
  secrets: (secret) => ({
    registration: [],
    client: { webhook_secret: `whsec_${Buffer.from(secret).toString('base64')}` },
  }),
}
