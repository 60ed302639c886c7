import { css, html, nothing, type TemplateResult } from 'lit'
import { icon } from '../../parts/icons.ts'
import { type Group, groups, type Item, type Room } from '../navigation.ts'
import { href } from '../router.ts'
import { type Me, may } from '../session.ts'

/** The rooms in the bar at the side: the one that somebody is in, and those that were unfolded, show their pages. */
export interface Side {
  me: Me
  app: string | null
  section: string | null
  unfolded: ReadonlySet<string>
  onFold: (room: string) => void
}

export function rooms(side: Side): TemplateResult {
  return html`${groups.map((group) => groupOf(group, side))}`
}

/** Those that this user may see; a page of an app needs one. */
export const visiblePages = ({ pages }: Room, me: Me, app: string | null): readonly Item[] =>
  pages.filter(({ path, right }) => {
    const own = path.includes(':app')
    return (!own || app !== null) && may(me, right, own ? app : null)
  })

function groupOf({ label, rooms: all }: Group, side: Side): TemplateResult | typeof nothing {
  const shown = all
    .map((room) => ({ room, pages: visiblePages(room, side.me, side.app) }))
    .filter(({ pages }) => pages.length > 0)
  if (shown.length === 0) return nothing
  return html`${label === null ? nothing : html`<h2>${label}</h2>`}
    <ul>${shown.map(({ room, pages }) => roomOf(room, pages, side))}</ul>`
}

const addressOf = (item: Item, app: string | null): string =>
  item.outside ? item.path : href(item.path.replace(':app', app ?? ''))

function roomOf(room: Room, pages: readonly Item[], side: Side): TemplateResult {
  const [first] = pages
  if (!first) return html``
  const inside = pages.find(({ section }) => section === side.section)
  if (pages.length === 1) {
    // Whoever may see one page of a room only finds it by its own name.
    const name = room.pages.length === 1 ? room.label : first.label
    return html`<li><a href=${addressOf(first, side.app)} aria-current=${inside ? 'page' : nothing}>${icon(room.icon)}${name}</a></li>`
  }
  const open = inside !== undefined || side.unfolded.has(room.label)
  const id = `room-${room.label.toLowerCase()}`
  return html`<li>
    <div class="room ${inside ? 'here' : ''}">
      <a href=${addressOf(first, side.app)}>${icon(room.icon)}${room.label}</a>
      ${
        inside
          ? nothing
          : html`<button class="quiet fold" aria-expanded=${open} aria-controls=${id} @click=${() => side.onFold(room.label)}>
              ${icon('down', 14)}<span class="visually-hidden">Pages of ${room.label}</span>
            </button>`
      }
    </div>
    <ul id=${id} class="pages" ?hidden=${!open}>
      ${pages.map(
        (item) =>
          html`<li><a href=${addressOf(item, side.app)} aria-current=${item === inside ? 'page' : nothing}>${item.label}</a></li>`,
      )}
    </ul>
  </li>`
}

export const sides = css`
  .room {
    display: flex;
    align-items: center;
  }
  .room a {
    flex: 1;
  }
  .room.here a {
    font-weight: 500;
  }
  .fold {
    border: 0;
    padding: 0 6px;
    color: var(--_muted);
  }
  .fold[aria-expanded='true'] svg {
    transform: rotate(180deg);
  }
  .pages {
    margin: 1px 0 4px;
    margin-inline-start: 15px;
    padding-inline-start: 10px;
    border-inline-start: 1px solid var(--_line);
  }
  .pages[hidden] {
    display: none;
  }
  .pages li a {
    min-height: 28px;
    font-size: 13px;
  }
  @media (pointer: coarse) {
    .pages li a,
    li a {
      min-height: 40px;
    }
  }
`
