/** Path and query of a request line. The absolute form that proxies send (RFC 9112 3.2.2) means the same as the short one. */
export interface RequestUrl {
  path: string
  search: string
}

export function splitUrl(url: string): RequestUrl {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const end = target.search(/[?#]/)
  const path = (end < 0 ? target : target.slice(0, end)) || '/'
  if (end < 0 || target[end] === '#') return { path, search: '' }
  const fragment = target.indexOf('#', end)
  return { path, search: fragment < 0 ? target.slice(end + 1) : target.slice(end + 1, fragment) }
}
