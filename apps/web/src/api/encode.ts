/** Encodes a password for the wire as base64 of its UTF-8 bytes. This is an encoding, not encryption. */
export const encodePassword = (password: string): string =>
  btoa(Array.from(new TextEncoder().encode(password), byte => String.fromCharCode(byte)).join(''))
