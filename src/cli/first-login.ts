import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Context } from '../domain/context.ts'
import { createClient } from '../domain/oauth/clients/create-client.ts'
import { createUser } from '../domain/users/create-user.ts'
import { operator } from '../domain/users/user.ts'
import { otherActiveAdmin } from '../domain/users/user-store.ts'
import { randomSecret } from '../lib/secret.ts'
import { called } from './command.ts'

/**
 * A new person should have something to log in with after the first start. Only with the embedded database, and only
 * while there is no administrator: one and a client for the password grant are made, and written to a file
 * of the data folder that a shell can read in.
 */
export async function firstLogin(context: Context, config: Config): Promise<string | null> {
  const path = join(config.dataDir, 'first-steps.env')
  if (config.databaseUrl) {
    return (await hasAdmin(context))
      ? null
      : `There is no administrator yet: ${called} create-user --email you@example.com --roles admin`
  }
  if (await hasAdmin(context)) return `First login: see ${path}`
  const email = 'admin@entrepot.local'
  const password = randomSecret(20)
  await createUser(context, operator, { name: 'Administrator', email, password, roles: ['admin'] })
  const { client, secret } = await createClient(context, null, {
    name: 'First steps',
    grant_types: ['password', 'refresh_token'],
  })
  const lines = {
    ENTREPOT_URL: config.publicUrl,
    ENTREPOT_EMAIL: email,
    ENTREPOT_PASSWORD: password,
    ENTREPOT_CLIENT_ID: client.id,
    ENTREPOT_CLIENT_SECRET: secret,
  }
  const text = Object.entries(lines).map(([name, value]) => `${name}='${value}'`)
  await writeFile(path, `${text.join('\n')}\n`, { mode: 0o600 })
  // What is no terminal is a log, and who reads logs need not be who may log in.
  return process.stdout.isTTY
    ? `First login (also in ${path}):\n  email     ${email}\n  password  ${password}`
    : `First login: see ${path}`
}

const hasAdmin = (context: Context) => context.transaction((trx) => otherActiveAdmin(trx, 0))
