/** Smaller ones are collected soon enough, and may share their memory with others. */
const large = 256 * 1024

/**
 * Memory of bytes that nobody needs any longer, at once: collected with the rest, tens of megabytes lie about until the next collection of
 * everything, which they bring on. The bytes are none from then on.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= large && buffer instanceof ArrayBuffer && buffer.byteLength <= 2 * byteLength) buffer.transfer(0)
}
