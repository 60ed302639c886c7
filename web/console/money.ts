/** An amount in the form of its currency; exact, whatever its size. */
export function money(amount: string, currency: string): string {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount as unknown as number)
  } catch {
    return `${amount} ${currency}`
  }
}
