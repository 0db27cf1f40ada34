import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { type Language, languageList } from '@coffer/contract/languages.ts'
import { type CityResponse, Reader } from 'mmdb-lib'
import type { IpLocationLookup } from '../kit/visitor.ts'

export const noIpLocations: IpLocationLookup = () => undefined

/** In characters, of a city or country: the database is data from elsewhere. */
const nameMax = 100

/**
 * Reads a database of places in the MaxMind DB format into memory. Without a path no place is known.
 * @throws Error when the file is missing, damaged or has another format
 */
export function readPlaces(path: string): IpLocationLookup {
  if (path === '') return noIpLocations
  const reader = open(path)
  return ip => {
    // A tree of IPv4 addresses answers an IPv6 address with the place of its first bits.
    if (reader.metadata.ipVersion === 4 && isIPv6(ip)) return undefined
    try {
      return placeOf(reader.get(ip))
    } catch {
      // The address is invalid, or this part of the file is damaged.
      return undefined
    }
  }
}

function open(path: string): Reader<CityResponse> {
  try {
    const reader = new Reader<CityResponse>(readFileSync(path))
    reader.get('192.0.2.1')
    return reader
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'it is damaged or not in the MaxMind DB format'
    throw new Error(`the file of places ${path} cannot be read (${why}): correct COFFER_PLACES or replace the file`)
  }
}

function placeOf(found: CityResponse | null): Record<Language, string> | undefined {
  const nameIn = (of: { names: Partial<Record<Language, string>> } | undefined, language: Language) =>
    String(of?.names?.[language] ?? of?.names?.en ?? '').slice(0, nameMax)
  const entries = languageList.map(language => {
    const country = nameIn(found?.country, language)
    const city = nameIn(found?.city, language)
    // Of a city state, one name is enough.
    const parts = [...new Set([city, country])].filter(Boolean)
    return [language, language === 'zh-CN' ? parts.reverse().join(' ') : parts.join(', ')]
  })
  return entries.some(([, text]) => text) ? (Object.fromEntries(entries) as Record<Language, string>) : undefined
}
