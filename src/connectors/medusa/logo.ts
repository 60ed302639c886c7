/** A tile with another one inside it, at an angle. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#f3f0fa"/><path d="M32 10l19 11v22L32 54 13 43V21z" fill="#5b45b0"/><path d="M32 22l9 5v10l-9 5-9-5V27z" fill="#f3f0fa"/></svg>`
