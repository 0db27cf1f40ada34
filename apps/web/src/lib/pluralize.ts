/** The English form for a count. Chinese has only one form. */
export const pluralize = (count: number, one: string, other: string): string => (count === 1 ? one : other)
