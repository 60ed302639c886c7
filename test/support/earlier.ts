/** SQL for the time of a column so many seconds before: a distributed table is not changed by a time less an interval. */
export const earlier = (column: string, seconds: string | number): string =>
  `to_timestamp(extract(epoch from ${column} - to_timestamp(0))::float8 - ${seconds})`
