import type { Context } from '../../src/domain/context.ts'
import { mayBePassword } from '../../src/lib/identity/password-tag.ts'

/** One that nobody with that address has, and whose tag is not by chance that of one: then a hash would show it, and no other. */
export async function wrongPassword({ db, keys }: Context, email: string): Promise<string> {
  const users = await db
    .selectFrom('users')
    .select(['password_hash as passwordHash', 'password_tag as passwordTag'])
    .where('email', '=', email)
    .execute()
  const fits = (password: string) =>
    users.some(
      ({ passwordHash, passwordTag }) =>
        passwordHash !== null && passwordTag !== null && mayBePassword(keys, { passwordHash, passwordTag }, password),
    )
  for (let n = 0; ; n++) if (!fits(`wrong ${n}`)) return `wrong ${n}`
}
