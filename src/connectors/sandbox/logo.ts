/** A box of sand with a hill in it. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#fdf6e7"/><path d="M14 40c6-2 9-16 18-16s12 14 18 16z" fill="#e2b25a"/><path d="M10 40h44v12a3 3 0 0 1-3 3H13a3 3 0 0 1-3-3z" fill="#8a5a22"/></svg>`
