import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { fieldsIn, isFields, maybeText, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { askSized, nextIn, nodesIn, type Query, since } from './ask.ts'
import { parsed } from './bulk/cursor.ts'
import { levelsNow, setLevels } from './changes/set-levels.ts'
import type { Credentials, Settings, ShopifyShop } from './settings.ts'
import { toInventoryLevel } from './translate-product.ts'

/**
 * Levels are asked for at the places that have them: only there can those that changed be asked for. An article's own
 * time of change says nothing about its stock.
 */
const levelPage: Query = {
  cost: 15,
  text: `query Levels($first: Int!, $after: String, $query: String, $place: String) {
  locations(first: 1, after: $place, sortKey: ID, includeLegacy: true) {
    pageInfo { hasNextPage endCursor }
    nodes {
      inventoryLevels(first: $first, after: $after, query: $query) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id updatedAt
          location { id }
          item { id sku variants(first: 1) { nodes { id } } }
          quantities(names: ["available", "on_hand", "committed", "reserved"]) { name quantity }
        }
      }
    }
  }
}`,
}

const maxLevels = 100

export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: listLevels,
  translate: toInventoryLevel,
  set: { repeatable: true, send: setLevels },
  compares: true,
  levelsNow,
}

/** Which place (by the one before it), and how far its levels have been read. */
interface Standing {
  place: string | null
  after: string | null
}

async function listLevels(shop: ShopifyShop, { updatedSince, cursor, limit }: ReadQuery): Promise<RawPage> {
  const { place, after } = cursor === null ? { place: null, after: null } : standingOf(cursor)
  const variables = { first: Math.min(limit, maxLevels), after, place, query: since(updatedSince) }
  const { data } = await askSized(shop, levelPage, variables)
  const places = fieldsIn(data, 'locations')
  const [here] = nodesIn(data, 'locations')
  if (!here) return { items: [], next: null, total: null }
  const more = nextIn(fieldsIn(here, 'inventoryLevels'))
  const following = nextIn(places)
  const next: Standing | null =
    more !== null ? { place, after: more } : following !== null ? { place: following, after: null } : null
  return {
    // What has no number of its own cannot be distinguished from others, by us or by anybody who counts.
    items: nodesIn(here, 'inventoryLevels').filter((level) => maybeText(fieldsIn(level, 'item'), 'sku') !== null),
    next: next && JSON.stringify(next),
    total: null,
  }
}

function standingOf(cursor: string): Standing {
  const reported = parsed(cursor)
  if (!isFields(reported)) throw refused(say('invalid_cursor'))
  return {
    place: reported['place'] === null ? null : textIn(reported, 'place'),
    after: reported['after'] === null ? null : textIn(reported, 'after'),
  }
}
