/** Ours: a basket under a sheet of paper with a folded corner. */
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#5b3a8c"/><path d="M20 14h18l8 8v12H20z" fill="#d9c8f0"/><path d="M38 14v8h8z" fill="#a487cf"/><path d="M12 34h40l-5 16H17z" fill="#fff"/><path d="M24 38v8M32 38v8M40 38v8" stroke="#5b3a8c" stroke-width="3" stroke-linecap="round"/></svg>'
