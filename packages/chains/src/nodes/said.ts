/** Characters of a node's message that are stored. */
const saidMax = 300

/**
 * What a node says in words, as it may be logged, stored and shown: one line of at most 300 characters, without control
 * and format characters, half characters, and the mark that separates the parts of a reason.
 */
export const cleanMessage = (text: string): string =>
  text
    .slice(0, saidMax)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}|]+/gu, ' ')
    .trim()
