import { ConfigError } from '../config.ts'
import { operator } from '../domain/users/user.ts'
import { command } from './command.ts'
import { withProgram } from './session.ts'

export const passwordLinkCommand = command({
  name: 'password-link',
  summary: 'Create a password reset link for a user',
  options: {
    email: { type: 'string', description: 'Email address of the user', required: true },
  },
  async run({ email = '' }, output) {
    const [{ makeResetLink }, { findLogin }, { findUser }] = await Promise.all([
      import('../domain/oauth/reset/make-reset-link.ts'),
      import('../domain/oauth/sign-in/login-store.ts'),
      import('../domain/users/user-store.ts'),
    ])
    const link = await withProgram(
      async ({ context }) => {
        const login = await findLogin(context.db, { username: email, address: '' })
        if (!login) throw new ConfigError(`There is no user "${email}".`)
        return await makeResetLink(context, operator, await findUser(context.db, operator, login.id))
      },
      { operation: 'password-link', what: 'Create a password reset link for a user' },
    )
    output.result(link, `Good once, until ${link.expires_at}:\n  ${link.url}`)
  },
})
