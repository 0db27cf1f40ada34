/**
 * The whole answer is the word of EPay or epusdt, as their own senders read it; in any case. Inside other text it
 * confirms nothing.
 */
export const isConfirmation = (text: string): boolean => ['success', 'ok'].includes(text.trim().toLowerCase())
