// Read by Medusa, from the folder in which it is installed.
const { defineConfig } = require('@medusajs/framework/utils')

const { DATABASE_URL, BASE_URL, JWT_SECRET, COOKIE_SECRET } = process.env

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    databaseDriverOptions: { ssl: false, connection: { ssl: false } },
    http: {
      ...{ storeCors: BASE_URL, adminCors: BASE_URL, authCors: BASE_URL },
      ...{ jwtSecret: JWT_SECRET, cookieSecret: COOKIE_SECRET },
    },
  },
  admin: { disable: true },
})
