/** Two strokes that meet, and what they carry. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#17345c"/><path d="M14 18l18 30 18-30" fill="none" stroke="#7fd4f4" stroke-width="8" stroke-linecap="round" stroke-linejoin="round"/><circle cx="32" cy="20" r="6" fill="#fff"/></svg>`
