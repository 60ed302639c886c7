/** Ours: a shopping cart under a sunrise. */
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#17436b"/><path d="M20 26a12 12 0 0 1 24 0z" fill="#f6c445"/><path d="M10 22h6l6 22h24l6-16H19" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/><circle cx="26" cy="51" r="4" fill="#fff"/><circle cx="42" cy="51" r="4" fill="#fff"/></svg>'
