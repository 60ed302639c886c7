import type { VendorSpecification } from '../checkers/checker.ts'
import type { PlatformFacts } from './platform-facts.ts'

const about = (file: string, base: RegExp, wrong: { report: RegExp; because: string }[] = []): VendorSpecification => ({
  kind: 'openapi',
  file: `squarespace/${file}`,
  base,
  wrong,
})

export const facts: PlatformFacts = {
  lacking: [
    [{ lacks: 'orders' }, /Orders \(Read Only\), Orders \(Read and Write\).*Developer API Keys/],
    [{ lacks: 'orders.fulfill' }, /: Orders \(Read and Write\)\./],
    [{ lacks: 'inventory.adjust' }, /: Inventory \(Read and Write\)\./],
    [{ lacks: 'products' }, /Products \(Read Only\), Products \(Read and Write\)/],
  ],
  specifications: [
    about('orders-inventory.transcribed.openapi.json', /^(?=\/1\.0\/commerce\/(?:orders|inventory))/),
    about('squarespace-webhook-subscriptions-api-openapi.yml', /^\/1\.0(?=\/webhook_subscriptions)/),
    about('squarespace-products-api-openapi.yml', /^\/v2(?=\/commerce\/products)/, [
      {
        report: /GET \/commerce\/products: answer\/pagination\/nextPage(Cursor|Url) must be string/,
        because: 'The last page has null there, as the transcription of orders and its own sample say.',
      },
      {
        report: /the parameter modified(After|Before) is unknown/,
        because: 'The file is of version 1.0; version 2 lists products by the time of their change.',
      },
    ]),
  ],
  // Secrets are told in hexadecimal digits; what these stand for is the key.
  secrets: (secret) => ({ registration: [Buffer.from(secret).toString('hex')], client: {} }),
}
