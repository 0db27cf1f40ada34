/** A password as it crosses the wire: base64 of its UTF-8 bytes. Not a secret, only an encoding. */
export const encodePassword = (password: string): string =>
  btoa(Array.from(new TextEncoder().encode(password), byte => String.fromCharCode(byte)).join(''))
