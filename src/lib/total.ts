/** How many there are of something, or that there are more than anybody has counted. */
export type Total = number | { atLeast: number }
