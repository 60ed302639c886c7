/** Ours: a warehouse of three gables. */
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#b3401f"/><path d="M10 50V28l11-9 11 9 11-9 11 9v22z" fill="#fff"/><path d="M26 50V37h12v13z" fill="#b3401f"/><path d="M16 34h6M42 34h6" stroke="#b3401f" stroke-width="4" stroke-linecap="round"/></svg>'
