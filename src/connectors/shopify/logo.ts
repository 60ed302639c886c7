/** A bag with a leaf on it. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#e8f3e6"/><path d="M17 24h30l3 28H14z" fill="#3f8f4f"/><path d="M24 27v-5a8 8 0 0 1 16 0v5" fill="none" stroke="#1f5a33" stroke-width="3" stroke-linecap="round"/><path d="M26 45c0-8 5-12 13-12 0 8-5 12-13 12z" fill="#e8f3e6"/></svg>`
