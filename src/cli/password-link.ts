import { ConfigError } from '../config.ts'
import type { Login } from '../domain/oauth/sign-in/login-store.ts'
import { operator } from '../domain/users/user.ts'
import { command } from './command.ts'
import { withProgram } from './session.ts'

export const passwordLinkCommand = command({
  name: 'password-link',
  summary: 'Create a password reset link for a user',
  options: {
    email: { type: 'string', description: 'Email address of the user', required: true },
    user: { type: 'string', value: 'ID', description: 'Which one, where several users have that address' },
  },
  async run({ email = '', user }, output) {
    const [{ makeResetLink }, { findLogins }, { findUser }] = await Promise.all([
      import('../domain/oauth/reset/make-reset-link.ts'),
      import('../domain/oauth/sign-in/login-store.ts'),
      import('../domain/users/user-store.ts'),
    ])
    const link = await withProgram(
      async ({ context }) => {
        const found = await findLogins(context.db, { username: email, address: '' })
        const id = oneOf(found, { email, user })
        return await makeResetLink(context, operator, await findUser(context.db, operator, id))
      },
      { operation: 'password-link', what: 'Create a password reset link for a user' },
    )
    output.result(link, `Good once, until ${link.expires_at}:\n  ${link.url}`)
  },
})

function oneOf(found: readonly Login[], { email, user }: { email: string; user: string | undefined }): number {
  const [first, ...more] = found.filter(({ id }) => user === undefined || String(id) === user)
  if (!first) throw new ConfigError(`There is no user "${email}"${user === undefined ? '' : ` with the id ${user}`}.`)
  if (more.length === 0) return first.id
  const each = [first, ...more].map(({ id, company }) => `--user ${id} (${company ?? 'without a company'})`)
  throw new ConfigError(`Several users have "${email}". Name one: ${each.join(', ')}.`)
}
