/** Where the database is: one server, or several of which one takes writes. */
export interface DatabaseAddress {
  /** An address for each server, in the order in which they were named; the rest of it is the same for all. */
  urls: readonly string[]
  /** Where there are several: connections go to the one that takes writes. */
  needsWritable: boolean
}

/** How PostgreSQL's own tools name several servers: `postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write`. */
const form = /^(postgres(?:ql)?:\/\/)((?:[^/@?#]*@)?)([^/?#@]+)(\/[^?#]*)?(\?[^#]*)?$/

/** Null for what is no address. */
export function parseDatabaseAddress(text: string): DatabaseAddress | null {
  const [, scheme, login = '', hosts = '', path = '', search = ''] = form.exec(text) ?? []
  if (!scheme)
    return URL.canParse(text) && /^postgres(ql)?:\/\//.test(text) ? { urls: [text], needsWritable: false } : null
  const query = new URLSearchParams(search)
  const wanted = query.get('target_session_attrs')
  query.delete('target_session_attrs')
  if (wanted !== null && !understood.includes(wanted)) return null
  const rest = query.size === 0 ? '' : `?${query}`
  const urls = hosts.split(',').map((host) => `${scheme}${login}${host}${path}${rest}`)
  if (!urls.every((url) => URL.canParse(url) && new URL(url).hostname !== '')) return null
  return { urls, needsWritable: urls.length > 1 || wanted === 'read-write' || wanted === 'primary' }
}

/** A service that writes has no use for the others. */
const understood: readonly string[] = ['any', 'read-write', 'primary']
