import { groups } from './navigation.ts'
import type { Entry } from './palette.ts'
import { navigate } from './router.ts'
import type { Me } from './session.ts'
import { visiblePages } from './side.ts'

/** What the palette offers beside what an app holds: every page that this user may see, and what can be done from anywhere. */
export function paletteEntries(
  me: Me,
  app: string | null,
  own: readonly Pick<Entry, 'text' | 'icon' | 'go'>[],
): Entry[] {
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
  return [...pages, ...own.map((action): Entry => ({ kind: 'Actions', ...action }))]
}
