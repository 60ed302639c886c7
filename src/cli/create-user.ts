import { ConfigError } from '../config.ts'
import { permissions } from '../domain/permissions.ts'
import { operator } from '../domain/users/user.ts'
import { randomSecret } from '../lib/secret.ts'
import { command } from './command.ts'
import { withProgram } from './session.ts'

export const createUserCommand = command({
  name: 'create-user',
  summary: 'Create a user',
  options: {
    email: { type: 'string', description: 'Address to log in with', required: true },
    password: { type: 'string', description: 'At least 8 characters; generated if omitted' },
    name: { type: 'string', description: 'Display name; the email address if omitted' },
    permissions: {
      type: 'string',
      value: 'LIST',
      description: '"all", or names separated by commas; none if left out',
    },
    roles: { type: 'string', value: 'LIST', description: 'admin, manager or viewer, separated by commas' },
  },
  async run(values, output) {
    const { email = '' } = values
    const password = values.password ?? randomSecret(20)
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new ConfigError(`"${email}" is not an email address.`)
    if (password.length < 8) throw new ConfigError('The password must be at least 8 characters.')
    const { createUser } = await import('../domain/users/create-user.ts')
    const user = await withProgram(
      ({ context }) =>
        createUser(context, operator, {
          email,
          password,
          name: values.name ?? email,
          roles: names(values.roles),
          permissions: values.permissions === 'all' ? permissions : names(values.permissions),
        }),
      { operation: 'create-user', what: 'Create a user' },
    )
    output.result(
      { id: user.id, email: user.email, password },
      `User ${user.id} made.\n  email     ${user.email}\n  password  ${password}`,
    )
  },
})

const names = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
