import type { Context } from '../domain/context.ts'
import { readLogo } from '../domain/logos/logo-store.ts'
import { notFound } from '../lib/fault.ts'
import type { PageRoute } from '../runtime/http/server.ts'

/** Names are never used twice, so a browser may keep what it has seen for ever. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
}

export const logoPage = (context: Pick<Context, 'db'>): PageRoute => ({
  path: '/logos/{name}',
  async handle({ params }) {
    const name = params['name'] ?? ''
    const logo = /^[A-Za-z0-9]{43}\.(png|webp)$/.test(name) ? await readLogo(context.db, name) : undefined
    if (!logo) throw notFound()
    return { status: 200, headers: { ...headers, 'content-type': logo.mime_type }, body: logo.bytes }
  },
})
