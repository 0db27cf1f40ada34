/** Picks the English form for a count. Chinese has one form and needs no helper. */
export const plural = (count: number, one: string, other: string): string => (count === 1 ? one : other)
