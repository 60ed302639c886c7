import { connection, isFound } from './stand-graphql.ts'
import { makeOrder } from './stand-orders.ts'
import { addProduct, type Books, gid, type Row } from './stand-records.ts'

export function makeBooks(orderCount: number): Books {
  let counter = 100_000
  const books: Books = {
    orders: [],
    products: [],
    places: [],
    levels: [],
    hooks: [],
    keys: new Map(),
    next: () => ++counter,
  }
  for (const n of [1, 2]) {
    const place: Row = { __typename: 'Location', id: gid('Location', n), isActive: true, fulfillsOnlineOrders: n === 1 }
    place['inventoryLevels'] = connection(
      () => books.levels.filter((level) => level['location'] === place),
      (level, { query }) => isFound(level, query),
    )
    books.places.push(place)
  }
  for (let n = 1; n <= 23; n++) addProduct(books, n)
  for (let n = 1; n <= orderCount; n++) books.orders.push(makeOrder(books, n))
  return books
}
