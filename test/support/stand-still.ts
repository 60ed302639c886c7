/** Nothing else is done, nor read, as where the machine stops or a piece of work does not yield. */
export function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
