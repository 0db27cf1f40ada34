import type { Language } from '../languages.ts'
import { priceSourceName } from './price-sources.ts'

/**
 * Returns stored sources such as `coinbase,okx / ecb`, of a token and of the currency it was converted to, as people
 * read them.
 */
export const priceSourcesText = (stored: string, language: Language): string =>
  stored
    .split(' / ')
    .map(each =>
      each
        .split(',')
        .map(priceSourceName)
        .join(language === 'zh-CN' ? '、' : ', '),
    )
    .join(' / ')
