/**
 * The address of a shop as people paste it: with scheme, path, slash, capitals or spaces around it. `beyond` is the whole
 * of it where the host alone does not say it. Whatever is no address stays as it was typed, for the service to judge.
 */
export function shopAddress(typed: string): { shop: string; beyond: string | null } {
  const text = typed.trim()
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (url?.username !== '' || text === '' || /\s/.test(text)) return { shop: text, beyond: null }
  // Pages that people are on when they copy the address.
  const path = url.pathname
    .replace(/\/(?:wp-admin|wp-login\.php|wp-json|admin\w*|index\.php)(?:\/.*)?$/, '')
    .replace(/\/+$/, '')
  const isPlain = path === '' && url.port === '' && url.protocol === 'https:'
  return { shop: url.hostname, beyond: isPlain ? null : `${url.origin}${path}` }
}
