import { api, asApp, ask } from '../api.ts'
import { visiblePages } from '../frame/side.ts'
import { groups } from '../navigation.ts'
import { navigate } from '../router.ts'
import { type Me, may } from '../session.ts'
import type { Entry } from './palette.ts'

/** What the palette offers beside what an app holds: every page that this user may see, and what can be done from anywhere. */
export function paletteEntries(me: Me, app: string | null, own: readonly Omit<Entry, 'kind'>[]): Entry[] {
  const pages = groups.flatMap(({ label, rooms }) =>
    rooms.flatMap((room) =>
      visiblePages(room, me, app).map((item): Entry => {
        const path = item.path.replace(':app', app ?? '')
        return {
          kind: 'Pages',
          icon: room.icon,
          text: item.label,
          ...(room.label !== item.label && { more: room.label }),
          words: `${room.label} ${label ?? ''}`,
          go: () => (item.outside ? location.assign(path) : navigate(path)),
        }
      }),
    ),
  )
  return [...pages, ...[...work(me, app), ...own].map((action): Entry => ({ kind: 'Actions', ...action }))]
}

/** What people come to do, without looking for the page where it is done. */
function work(me: Me, app: string | null): Omit<Entry, 'kind'>[] {
  const inApp = (right: string, entry: Omit<Entry, 'kind' | 'go'>, path: string) =>
    app !== null && may(me, right, app) ? [{ ...entry, go: () => navigate(`/apps/${app}${path}`) }] : []
  return [
    ...inApp('create-integration', { text: 'Connect a shop', icon: 'plus' }, '/connect'),
    ...inApp('run-action', { text: 'Try failed messages again', icon: 'refresh', words: 'retry' }, retryPath),
    ...(me.company_id !== null && may(me, 'create-user')
      ? [
          {
            text: 'Invite somebody',
            icon: 'users',
            words: 'colleague team',
            go: () => navigate('/team?do=invite'),
          } as const,
        ]
      : []),
  ]
}

const retryPath = '/undelivered?do=retry'

/** So many of each are offered; the others have their pages. */
const maxFurther = 100

/** The platforms that a shop can be connected on, and what can be done to each webhook. */
export async function furtherEntries(me: Me, app: string): Promise<Entry[]> {
  const path = { appId: app }
  const query = { per_page: maxFurther }
  const [services, webhooks] = await Promise.all([
    may(me, 'create-integration', app) ? ask(asApp(app).GET('/api/2.0/app/services', { params: { query } })) : null,
    may(me, 'read-app', app) ? ask(api.GET('/api/2.0/user/apps/{appId}/webhooks', { params: { path, query } })) : null,
  ])
  return [
    ...(services?.data ?? []).map(
      ({ name, type }): Entry => ({
        kind: 'Actions',
        icon: 'plus',
        text: `Connect a shop on ${name}`,
        words: type,
        go: () => navigate(`/apps/${app}/connect?service=${encodeURIComponent(type)}`),
      }),
    ),
    ...(webhooks?.data ?? []).flatMap(({ id, url }): Entry[] => {
      const page = `/apps/${app}/webhooks/${id}`
      const entry: Entry = { kind: 'Webhooks', icon: 'bell', text: url, words: 'webhook', go: () => navigate(page) }
      if (!may(me, 'manage-access', app)) return [entry]
      const go = () => navigate(`${page}?do=secret`)
      const rotate = {
        kind: 'Actions',
        icon: 'key',
        text: `New secret for ${url}`,
        words: 'rotate webhook',
        go,
      } as const
      return [entry, rotate]
    }),
  ]
}
