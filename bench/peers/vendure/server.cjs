// Run by Node in a process of its own, with Vendure as it is installed here. `prepare` makes tables and what a shop needs before it can sell.
require('reflect-metadata')
const { bootstrap, DefaultLogger, LogLevel, dummyPaymentHandler } = require('@vendure/core')
const { populate } = require('@vendure/core/cli')

const [command, settings] = process.argv.slice(2)
const { databaseUrl, port, password, cookieSecret, initial, products } = JSON.parse(settings)

const config = {
  apiOptions: { hostname: '127.0.0.1', port, adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: {
    tokenMethod: ['bearer', 'api-key'],
    superadminCredentials: { identifier: 'superadmin', password },
    cookieOptions: { secret: cookieSecret },
  },
  dbConnectionOptions: { type: 'postgres', url: databaseUrl, synchronize: command === 'prepare', logging: false },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
}

if (command === 'prepare') {
  populate(() => bootstrap(config), initial, products)
    .then((app) => app.close())
    .then(() => process.exit(0))
} else {
  bootstrap(config)
}
