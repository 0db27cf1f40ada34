import type { Language } from '@coffer/contract'
import ipaddr from 'ipaddr.js'

/** From where a request came, as the HTTP layer tells it. `device` is the User-Agent, which anybody can write. */
export interface Visitor {
  ip: string
  device: string
  language: Language
}

const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A short name such as "Chrome, Windows" for a User-Agent: made of words of ours only, so that it is safe to show. */
export function deviceName(userAgent: string): string {
  const of = (known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent))?.[1]
  return [of(browsers), of(systems)].filter(Boolean).join(', ')
}

/** The address without the IPv6 wrapping of an IPv4 one; as given when it is no address. */
export const plainIp = (ip: string): string => (ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip)

/** What counts as one visitor: an IPv4 address, or the /64 that one IPv6 household has. */
export function ipKey(ip: string): string {
  const plain = plainIp(ip)
  if (!ipaddr.IPv6.isValid(plain)) return plain
  return ipaddr.IPv6.networkAddressFromCIDR(`${plain}/64`).toString()
}

/** Where an address roughly is. Nothing is looked up, so beyond our own network it is unknown. */
export function whereabouts(ip: string): 'private' | 'unknown' {
  const plain = plainIp(ip)
  const inside = ['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']
  return ipaddr.isValid(plain) && inside.includes(ipaddr.parse(plain).range()) ? 'private' : 'unknown'
}
