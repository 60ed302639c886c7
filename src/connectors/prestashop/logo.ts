/** Ours: a shop window under a striped awning. */
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#1f4a63"/><path d="M12 14h40l4 14H8z" fill="#fff"/><path d="M20 14h8l-1 14H17zM36 14h8l3 14H37z" fill="#d8577a"/><path d="M13 32h38v18H13z" fill="#bfe3ea"/><path d="M32 32v18M13 41h38" stroke="#1f4a63" stroke-width="3"/></svg>'
