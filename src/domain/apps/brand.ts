import type { App } from './app.ts'

/** By what merchants know the software that they connect their shop to. */
export interface Brand {
  name: string
  /** Name of the logo. */
  logo: string | null
  accent: string | null
}

export const brandOf = ({ name, logo, accent }: App): Brand => ({ name, logo, accent })
