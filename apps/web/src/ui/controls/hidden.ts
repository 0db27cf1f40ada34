/**
 * Characters that show nothing and turn the order of others around, or pass for the same text. Joiners, which scripts
 * need, are none.
 */
const hidden = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** A text as it is seen, without characters that came along with what was pasted. */
export const stripHiddenCharacters = (text: string): string => text.replace(hidden, '')
