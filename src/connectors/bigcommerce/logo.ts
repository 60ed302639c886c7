/** A mountain range above a shop's counter. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#eceef8"/><path d="M8 46 24 20l9 14 6-8 17 20z" fill="#3c4a9a"/><path d="M24 20l5 8-5 4-5-4z" fill="#eceef8"/><rect x="8" y="49" width="48" height="5" rx="2.5" fill="#20285c"/></svg>`
