/** Ours: a parcel on a conveyor belt. */
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#23303f"/><path d="M16 16h32v26H16z" fill="#e0a458"/><path d="M28 16h8v10l-4-3-4 3z" fill="#fff"/><path d="M8 47h48" stroke="#8fd0c5" stroke-width="5" stroke-linecap="round"/><circle cx="18" cy="54" r="3" fill="#8fd0c5"/><circle cx="32" cy="54" r="3" fill="#8fd0c5"/><circle cx="46" cy="54" r="3" fill="#8fd0c5"/></svg>'
