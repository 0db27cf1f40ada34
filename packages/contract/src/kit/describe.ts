import type { Language } from '../languages.ts'

/**
 * Metadata that describes a field of the public API. `description` is what JSON Schema knows; the documentation reads
 * `texts`.
 */
export const describeField = (texts: Record<Language, string>) => ({ description: texts.en, texts })
