import type { OwnedByUser } from '../tenant.ts'

/** A tenant's client application. */
export interface App extends OwnedByUser {
  id: number
  name: string
  description: string | null
  url: string | null
  /** Name of the logo; the view makes an address of it. */
  logo: string | null
  /** `#rrggbb`, on pages of ours that its merchants see. */
  accent: string | null
  active: boolean
  mutable: boolean
  /** Where a browser may be sent back to after an installation, compared exactly. */
  return_urls: string[]
  created_at: string
  updated_at: string
}

export interface AppInput {
  name: string
  description?: string | null | undefined
  url?: string | null | undefined
  accent?: string | null | undefined
  active?: boolean | undefined
  return_urls?: string[] | undefined
}
