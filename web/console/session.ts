import { api, ask, Refusal } from './api.ts'

/** Who is signed in. Pages read it; only the sign-in page and the menu change it. */
export interface Me {
  id: number
  name: string
  email: string
  roles: readonly string[]
  permissions: readonly string[]
}

export async function readMe(): Promise<Me | null> {
  try {
    const { data } = await ask(api.GET('/console/session'))
    return data
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return null
    throw error
  }
}

export const signIn = (email: string, password: string) =>
  ask(api.POST('/console/session', { body: { email, password } }))

export const signOut = () => ask(api.DELETE('/console/session'))

export const may = (me: Pick<Me, 'roles' | 'permissions'>, permission: string | undefined): boolean =>
  permission === undefined || me.roles.includes('admin') || me.permissions.includes(permission)
