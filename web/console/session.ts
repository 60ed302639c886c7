import { api, ask, Refusal } from './api.ts'

/** Who is signed in. Pages read it; only the sign-in page and the menu change it. */
export interface Me {
  id: number
  name: string
  email: string
  roles: readonly string[]
  company_id: number | null
  company_role: string | null
  /** What this user may, and in which apps something else. */
  rights: readonly string[]
  app_rights: readonly { app_id: number; rights: readonly string[] }[]
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

/** Null: that was all. */
export async function signIn(email: string, password: string) {
  const answer = await ask(api.POST('/console/session', { body: { email, password } }))
  return answer ? answer.data : null
}

/** Leaves this page for that of the company's identity provider. */
export async function signInElsewhere(email: string): Promise<void> {
  const { data } = await ask(api.POST('/console/session/single-sign-on', { body: { email } }))
  location.assign(data.url)
}

export const signOut = () => ask(api.DELETE('/console/session'))

/** In the app that is named; anywhere, where none is. */
export function may(me: Pick<Me, 'rights' | 'app_rights'>, right: string | undefined, app?: string | null): boolean {
  if (right === undefined) return true
  const own = me.app_rights.find(({ app_id }) => String(app_id) === app)
  if (own) return own.rights.includes(right)
  return me.rights.includes(right) || (app == null && me.app_rights.some(({ rights }) => rights.includes(right)))
}
